import { once } from "node:events";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import express, { type RequestHandler } from "express";
import { describe, expect, onTestFinished, test } from "vitest";
import { createControlPlane } from "../src/index.ts";
import { createMcpEndpoint } from "../src/mcp/index.ts";
import { createPorts, type TestPorts } from "./support/ports.ts";

const cookie = "session=ada";

/** An application with pages, a body parser and a login of its own, and the control plane under `/loop`. */
async function application(): Promise<{ readonly url: string; readonly ports: TestPorts; ask(path: string, init?: RequestInit): Promise<Response> }> {
  const ports = createPorts();
  const { router, close } = createControlPlane({ ports, access: { type: "application" }, mcp: createMcpEndpoint, version: "1.2.3", onFault: () => {} });
  const login: RequestHandler = (request, response, next) => (request.headers.cookie === cookie ? next() : void response.status(401).send("log in first"));
  const app = express().use(express.json());
  app.get("/", (_request, response) => void response.send("the application's own page"));
  app.use("/loop", login, router);
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    await close();
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
  return { url, ports, ask: (path, init = {}) => fetch(`${url}${path}`, { ...init, headers: { cookie, ...init.headers } }) };
}

const json = (body: unknown): RequestInit => ({ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
const pause = "/loop/api/v1/work-items/host%3Aocto%2Fshop%237/control";

describe("in an application of somebody else", () => {
  test("it is served under the application's prefix, to whom the application's own login lets through", async () => {
    const { url, ports, ask } = await application();
    expect(await (await ask("/")).text()).toBe("the application's own page");
    expect(await (await fetch(`${url}/loop/api/v1/health`)).text()).toBe("log in first");
    expect(await (await ask("/loop/api/v1/health")).json()).toMatchObject({ status: "ok" });
    expect(await (await ask("/loop/api/v1/deliveries?limit=1")).json()).toMatchObject({ items: [{ seq: 3 }] });
    expect((await ask(pause, json({ verb: "pause" }))).status, "its body was parsed by the application").toBe(200);
    expect(ports.asked).toMatchObject([{ request: { verb: "pause" } }]);
    expect(await (await ask("/loop/nothing")).json()).toMatchObject({ code: "LOOP_E_NOT_FOUND" });
    expect((await ask("/api/v1/health")).status, "nothing is served beside the prefix").toBe(404);
  });

  test("a page of somebody else cannot use the login's cookie, and batches are refused as ever", async () => {
    const { ports, ask } = await application();
    expect((await ask(pause, { ...json({ verb: "pause" }), headers: { "content-type": "application/json", origin: "https://evil.example" } })).status).toBe(403);
    expect((await ask(pause, { method: "POST", headers: { "content-type": "text/plain" }, body: '{"verb":"pause"}' })).status).toBe(415);
    expect(await (await ask("/loop/mcp", json([{ jsonrpc: "2.0", id: 1, method: "ping" }]))).json()).toMatchObject({ code: "LOOP_E_BATCH" });
    expect(ports.asked).toEqual([]);
  });

  test("document, stream and /mcp work there, too", async () => {
    const { url, ports, ask } = await application();
    const document = await ask("/loop/api/v1/openapi.json");
    const { servers } = (await document.json()) as { servers: { url: string }[] };
    expect(new URL(servers[0]?.url ?? "", document.url).href).toBe(`${url}/loop/`);

    const stream = await ask("/loop/api/v1/events/stream", { headers: { "last-event-id": "1" } });
    const first = await stream.body?.getReader().read();
    expect(new TextDecoder().decode(first?.value)).toContain("retry");

    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/loop/mcp`), { requestInit: { headers: { cookie } } }));
    onTestFinished(() => client.close());
    expect((await client.callTool({ name: "show-instance" })).structuredContent).toMatchObject({ name: "default" });
    expect(ports.asked).toEqual([]);
  });
});
