import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { deliveryOf, noon, policyOf } from "@loopwork/core/testing";
import { openStore } from "@loopwork/store";
import { describe, expect, onTestFinished, test } from "vitest";
import { lookingOnly } from "../src/looking-only.ts";
import { createPortal } from "../src/portal.ts";

type Visited = {
  readonly url: string;
  readonly cookie: string;
  ask(path: string, init?: RequestInit): Promise<Response>;
};

/**
 * The portal over the store of a service that took one delivery, visited by somebody who has logged
 * in.
 */
async function visit(): Promise<Visited> {
  const folder = mkdtempSync(join(tmpdir(), "loop-portal-"));
  const url = `sqlite:${join(folder, "loop.db")}`;
  const service = await openStore(url, { instance: "default", now: () => noon });
  await service.append(deliveryOf("delivery-1"));
  const store = await openStore(url, { instance: "default", now: () => noon, readonly: true });
  const { app, close } = createPortal({
    ports: lookingOnly(store, policyOf(), { now: () => noon }, folder),
    password: "correct horse battery",
    onFault: () => {},
  });
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    await close();
    server.closeAllConnections();
    server.close();
    await Promise.all([store.close(), service.close()]);
    rmSync(folder, { recursive: true, force: true });
  });
  const address = server.address();
  const base = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  const entered = await fetch(`${base}/login`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ password: "correct horse battery" }),
  });
  const cookie = entered.headers.get("set-cookie")?.split(";")[0] ?? "";
  return {
    url: base,
    cookie,
    ask: (path, init = {}) =>
      fetch(`${base}${path}`, { ...init, headers: { cookie, ...init.headers } }),
  };
}

const pause = "/loop/api/v1/work-items/host%3Aocto%2Fshop%237/control";
const json = (body: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

describe("in an application of somebody else", () => {
  test("it is served under the application's prefix, to whom the application's own login lets through", async () => {
    const { url, ask } = await visit();
    expect(await (await ask("/")).text()).toContain("<title>Portal</title>");
    expect(
      (
        await fetch(`${url}/login`, {
          method: "POST",
          body: new URLSearchParams({ password: "a guess" }),
        })
      ).status,
    ).toBe(401);
    for (const path of ["/loop/", "/loop/api/v1/health", "/loop/mcp"])
      expect(await (await fetch(`${url}${path}`)).text()).toBe("log in first");
    expect(await (await ask("/loop/")).text()).toContain("<title>loop</title>");
    expect(await (await ask("/loop/api/v1/health")).json()).toMatchObject({ status: "ok" });
    expect(await (await ask("/loop/api/v1/deliveries?limit=1")).json()).toMatchObject({
      items: [{ id: "delivery-1", verdict: null }],
    });
    expect(await (await ask("/loop/nothing")).json()).toMatchObject({ code: "LOOP_E_NOT_FOUND" });
    expect((await ask("/api/v1/health")).status, "nothing is served beside the prefix").toBe(404);
  });

  test("a page of somebody else cannot use the login's cookie, nobody steers, and batches are refused as ever", async () => {
    const { ask } = await visit();
    expect(
      await (
        await ask(pause, {
          ...json({ verb: "pause" }),
          headers: { "content-type": "application/json", origin: "https://evil.example" },
        })
      ).json(),
    ).toMatchObject({ status: 403, code: "LOOP_E_FOREIGN_PAGE" });
    expect(await (await ask(pause, json({ verb: "pause" }))).json()).toMatchObject({
      status: 403,
      code: "LOOP_E_FORBIDDEN",
      detail: "the portal is for looking",
    });
    expect(await (await ask("/loop/api/v1/restart", json({}))).json()).toMatchObject({
      status: 403,
    });
    expect(
      await (await ask("/loop/mcp", json([{ jsonrpc: "2.0", id: 1, method: "ping" }]))).json(),
    ).toMatchObject({ code: "LOOP_E_BATCH" });
  });

  test("document, stream and /mcp work there, too", async () => {
    const { url, cookie, ask } = await visit();
    const document = await ask("/loop/api/v1/openapi.json");
    const { servers } = (await document.json()) as { servers: { url: string }[] };
    expect(new URL(servers[0]?.url ?? "", document.url).href).toBe(`${url}/loop/`);

    const stream = await ask("/loop/api/v1/events/stream", { headers: { "last-event-id": "1" } });
    const first = await stream.body?.getReader().read();
    expect(new TextDecoder().decode(first?.value)).toContain("retry");

    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${url}/loop/mcp`), {
        requestInit: { headers: { cookie } },
      }),
    );
    onTestFinished(() => client.close());
    expect((await client.callTool({ name: "show-instance" })).structuredContent).toMatchObject({
      name: "default",
    });
    expect((await client.callTool({ name: "list-deliveries" })).structuredContent).toMatchObject({
      items: [{ id: "delivery-1" }],
    });
  });
});
