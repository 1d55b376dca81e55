import { execFile } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@loopwork-tooling/practice-host";
import { onTestFinished } from "vitest";
import type { World } from "./world.ts";

const bin = fileURLToPath(new URL("../../src/bin.ts", import.meta.url));

export type Ran = { readonly code: number; readonly text: string };

/**
 * Runs `loop` as a process of its own; the practice host lives in this one, so nothing here may
 * block.
 */
export function loop(world: World, ...argv: string[]): Promise<Ran> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ["--conditions=@loopwork/source", bin, ...argv],
      { cwd: world.scene.cwd, env: world.scene.env, timeout: 60_000 },
      (_error, out, err) => resolve({ code: child.exitCode ?? -1, text: `${out}${err}` }),
    );
  });
}

/** The detached service of a world, with its control plane. */
export type RunningService = {
  readonly url: string;
  readonly token: string;
  get(path: string): Promise<Answered>;
  text(path: string): Promise<string>;
  /**
   * Kinds of the lines that the stream of events tells, up to the first of `last`; from the
   * beginning of the log.
   */
  stream(last: string): Promise<readonly string[]>;
  send(method: "POST" | "PUT" | "DELETE", path: string, body?: unknown): Promise<Answered>;
};
export type Answered = { readonly status: number; readonly body: unknown };

/**
 * `loop start` with the service on, as people do it; `more` are keys of `service`. It is stopped at
 * the end of the test.
 */
export async function startService(world: World, more = ""): Promise<RunningService> {
  const port = await freePort();
  world.scene.configure(
    world.scene.text().replace("service: { enabled: false }", `service: { port: ${port}${more} }`),
  );
  onTestFinished(() => loop(world, "stop").then(() => {}), 60_000);
  const started = await loop(world, "start");
  if (started.code !== 0) throw new Error(started.text);
  world.host.aim({ url: world.webhookUrl, secret: "practice-secret" });
  const file = join(world.stateRoot, "control-plane.token");
  if ((statSync(file).mode & 0o777) !== 0o600)
    throw new Error("the token is not its owner's alone");
  const token = readFileSync(file, "utf8").trim();
  const url = `http://127.0.0.1:${port}`;
  const ask = async (path: string, init: RequestInit): Promise<Answered> => {
    const response = await fetch(`${url}${path}`, {
      ...init,
      headers: {
        authorization: `Bearer ${token}`,
        ...(init.body === undefined ? {} : { "content-type": "application/json" }),
      },
    });
    return { status: response.status, body: await response.json() };
  };
  const headers = { authorization: `Bearer ${token}` };
  const stream = async (last: string): Promise<readonly string[]> => {
    const response = await fetch(`${url}/api/v1/events/stream`, {
      headers: { ...headers, "last-event-id": "0" },
    });
    let text = "";
    for await (const chunk of response.body ?? []) {
      text += new TextDecoder().decode(chunk);
      const kinds = [...text.matchAll(/^data: .*?"kind":"([a-z.-]{1,40})"/gm)].map(
        ([, kind]) => kind ?? "",
      );
      if (kinds.includes(last)) return kinds;
    }
    throw new Error(`the stream ended: ${text}`);
  };
  return {
    url,
    token,
    stream,
    text: async (path) => (await fetch(`${url}${path}`, { headers })).text(),
    get: (path) => ask(path, {}),
    send: (method, path, body) =>
      ask(path, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }),
  };
}
