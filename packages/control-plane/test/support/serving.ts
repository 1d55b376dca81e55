import { once } from "node:events";
import { request } from "node:http";
import type { Store } from "@loopwork/core/ports";
import express, { type RequestHandler } from "express";
import { onTestFinished } from "vitest";
import {
  type ControlPlaneOptions,
  createControlPlane,
  createMetrics,
  type Metrics,
} from "../../src/index.ts";
import { createPorts, type TestPorts } from "./ports.ts";

export const token = "0123456789abcdef0123456789abcdef";

export type Serving = {
  readonly port: number;
  readonly url: string;
  readonly ports: TestPorts;
  readonly metrics: Metrics;
  close(): Promise<void>;
  readonly faults: readonly unknown[];
  ask(path: string, options?: Asking): Promise<Answer>;
};
export type Asking = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Null sends none. */ readonly token?: string | null;
};
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  json(): unknown;
};

/**
 * The control plane over real HTTP. `before` stands in front of it, as whatever takes a guard's
 * effect away does.
 */
export async function serve(
  options: Partial<ControlPlaneOptions> & { readonly before?: RequestHandler } = {},
): Promise<Serving> {
  const { before = (_request, _response, next) => next(), ...rest } = options;
  const ports = createPorts();
  const faults: unknown[] = [];
  const metrics = createMetrics("1.2.3");
  const { router, close } = createControlPlane({
    ports,
    access: { type: "token", token },
    version: "1.2.3",
    metrics: { metrics, store: { stats } },
    onFault: (error) => faults.push(error),
    ...rest,
  });
  const server = express().disable("x-powered-by").use(before, router).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    await close();
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    ports,
    metrics,
    close,
    faults,
    ask: (path, asking) => ask(port, path, asking),
  };
}

const stats = async (): ReturnType<Store["stats"]> => ({
  undecided: 3,
  turns: { ready: 1, injecting: 0, done: 5, failed: 0, uncertain: 2, dropped: 0 },
  lanesHeld: 1,
  lanesLeased: 2,
  pendingEffects: 4,
  lateWrites: 0,
});

/** One request as it is written here: `fetch` would not let a test name another host. */
function ask(
  port: number,
  path: string,
  { method = "GET", headers = {}, body, token: shown = token }: Asking = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        port,
        path,
        method,
        host: "127.0.0.1",
        setHost: !("host" in headers) || headers["host"] !== "",
        headers: {
          ...(shown === null ? {} : { authorization: `Bearer ${shown}` }),
          ...without(headers),
        },
      },
      (response) => {
        let text = "";
        if (response.headers["content-type"]?.startsWith("text/event-stream") === true) {
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            json: () => null,
          });
          return void response.destroy(); // It would never end.
        }
        response.on("data", (chunk: Buffer) => (text += chunk.toString()));
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            json: () => JSON.parse(text),
          }),
        );
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

/** An empty `host` means that none is sent. */
function without(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => name !== "host" || value !== ""),
  );
}

export function post(body: unknown): Asking {
  return {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}
