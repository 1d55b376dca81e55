import { connect } from "node:net";
import type { RequestHandler } from "express";
import { describe, expect, test } from "vitest";
import { LoopError } from "@loopwork/core/ports";
import { noon } from "@loopwork/core/testing";
import { createControlPlane, type FailedToken } from "../src/index.ts";
import { type FailedTokenBounds, failedTokenBounds } from "../src/http/failed-tokens.ts";
import { createMcpEndpoint } from "../src/mcp/index.ts";
import { operations } from "../src/operations/table.ts";
import { createPorts } from "./support/ports.ts";
import { readDocument, requestOf } from "./support/document.ts";
import { samples } from "./support/samples.ts";
import { type Asking, post, serve, type Serving, token } from "./support/serving.ts";

/** Every route that the service has, each with a request that would be answered. */
async function everyRoute(
  serving: Serving,
): Promise<readonly { readonly id: string; readonly path: string; readonly asking: Asking }[]> {
  const { operations } = await readDocument(serving);
  return operations.map((operation) => ({
    id: operation.id,
    ...requestOf(operation, samples[operation.id] ?? {}),
  }));
}

/** Routes that answered a request which should have been refused with `status`. */
async function letThrough(
  serving: Serving,
  status: number,
  over: { readonly headers?: Readonly<Record<string, string>>; readonly token?: string | null },
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { id, path, asking } of await everyRoute(serving)) {
    const answer = await serving.ask(path, {
      ...asking,
      ...over,
      headers: { ...asking.headers, ...over.headers },
    });
    if (answer.status !== status) found.push(`${id} ${answer.status}`);
  }
  return found;
}

/** What comes back for bytes as they are written here; what is said until the service closes. */
function answerTo(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    let said = "";
    socket.on("data", (chunk: Buffer) => (said += chunk.toString()));
    socket.on("close", () => resolve(said));
    socket.on("error", reject);
  });
}

/** Takes the effect of the guards away: whatever comes looks like a good request. */
const guardsOff: RequestHandler = (request, _response, next) => {
  request.headers.host = "localhost";
  delete request.headers.origin;
  delete request.headers["sec-fetch-site"];
  request.headers.authorization = `Bearer ${token}`;
  next();
};
const withoutToken = ["probe", "show-dashboard", "show-openapi"];

describe("A01 a foreign Host is refused on every route", () => {
  test.each([
    "evil.example",
    "localhost.evil",
    "127.0.0.1.evil:80",
    "evil",
    "127.0.0.2",
    "[::2]:4114",
    "localhost:123456",
    "",
  ])("%j", async (host) => {
    const serving = await serve();
    const status = host === "" ? 400 : 403; // Node itself refuses a request without Host.
    expect(await letThrough(serving, status, { headers: { host } })).toEqual([]);
    expect(serving.ports.asked).toEqual([]);
  });

  test.each([
    "localhost:4114",
    "127.0.0.1",
    "[::1]:4114",
    "LOOP.example:4114",
    "other.example",
    "other.example:80",
  ])("%j is known", async (host) => {
    const serving = await serve({ allowedHosts: ["loop.example:4114", "Other.example"] });
    expect(await serving.ask("/api/v1/health", { headers: { host } })).toMatchObject({
      status: 200,
    });
  });

  test.each([
    ["a second Host", "GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\nHost: evil.example"],
    ["a second Host that is ours", "GET /health HTTP/1.1\r\nHost: localhost\r\nhost: localhost"],
    [
      "another host in the request line",
      "GET http://evil.example/api/v1/health HTTP/1.1\r\nHost: localhost",
    ],
  ])("%s is refused as well", async (_what, head) => {
    const { port } = await serve();
    expect(
      await answerTo(
        port,
        `${head}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
      ),
    ).toMatch(/^HTTP\/1.1 403 [^]*LOOP_E_FOREIGN_HOST/);
  });

  test("control: with the guard off the same requests are answered", async () => {
    expect(
      (
        await letThrough(await serve({ before: guardsOff }), 403, {
          headers: { host: "evil.example" },
        })
      ).length,
    ).toBeGreaterThan(20);
  });
});

describe("A02 a request of another page is refused on every route, token or not", () => {
  test.each([
    { origin: "https://evil.example" },
    { origin: "null" },
    { origin: "no origin at all" },
    { origin: "http://localhost:3000" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { origin: "https://evil.example", "sec-fetch-site": "same-origin" },
  ])("%j", async (headers) => {
    const serving = await serve();
    expect(await letThrough(serving, 403, { headers: { ...headers } })).toEqual([]);
    expect(serving.ports.asked).toEqual([]);
  });

  test("the service's own page may ask, and behind a proxy a page of a listed name", async () => {
    const serving = await serve({ allowedHosts: ["loop.example"] });
    const own = { origin: `http://127.0.0.1:${serving.port}`, "sec-fetch-site": "same-origin" };
    expect(await serving.ask("/api/v1/health", { headers: own })).toMatchObject({ status: 200 });
    expect(
      await serving.ask("/api/v1/health", { headers: { origin: "https://loop.example" } }),
    ).toMatchObject({ status: 200 });
    expect(
      await serving.ask("/api/v1/health", { headers: { "sec-fetch-site": "none" } }),
    ).toMatchObject({ status: 200 });
  });

  describe("an origin is a scheme, a host and a port", () => {
    const own = "127.0.0.1:4114";

    test.each([
      `https://${own}`,
      `ftp://${own}`,
      `ws://${own}`,
      `chrome-extension://${own}`,
      `blob:http://${own}`,
      `http://${own}/page`,
      `http://${own}/`,
      `http://ada@${own}`,
      `HTTP://${own}`,
      `http://${own}, http://${own}`,
      "http://127.0.0.1",
      "http://127.0.0.1:4115",
      "http://localhost:4114",
      "http://127.1:4114",
      "http://[::1]:4114",
      "",
    ])("%s is not the service's own page", async (origin) => {
      const serving = await serve();
      expect(await letThrough(serving, 403, { headers: { host: own, origin } })).toEqual([]);
      expect(serving.ports.asked).toEqual([]);
    });

    test.each([
      ["loop.example:4114", "http://loop.example:3000"],
      ["loop.example:4114", "https://loop.example:8443"],
      ["127.0.0.1:4114", "https://loop.example:8443"],
      ["127.0.0.1:4114", "https://127.0.0.1:4114"],
      ["localhost", "https://localhost"],
      ["other.example:8443", "https://other.example"],
      ["loop.example", "ftp://loop.example"],
      ["loop.example", "https://loop.example.evil.example"],
    ])("addressed as %s, a page of %s is another one whatever is listed", async (host, origin) => {
      const serving = await serve({ allowedHosts: ["loop.example", "other.example:8443"] });
      const answer = await serving.ask("/api/v1/health", { headers: { host, origin } });
      expect(answer).toMatchObject({ status: 403 });
    });

    test.each([
      ["127.0.0.1:80", "http://127.0.0.1"],
      ["LOCALHOST:4114", "http://localhost:4114"],
      ["[::1]:4114", "http://[::1]:4114"],
      ["loop.example", "http://loop.example"],
      ["loop.example", "https://loop.example"],
      ["loop.example:443", "https://loop.example"],
      ["loop.example:4114", "http://loop.example:4114"],
      ["loop.example:4114", "https://loop.example"],
      ["loop.example:8443", "https://loop.example:8443"],
      ["127.0.0.1:4114", "https://loop.example"],
      ["127.0.0.1:4114", "https://other.example:8443"],
    ])("addressed as %s, a page of %s is its own", async (host, origin) => {
      const serving = await serve({ allowedHosts: ["Loop.example", "other.example:8443"] });
      const answer = await serving.ask("/api/v1/health", { headers: { host, origin } });
      expect(answer).toMatchObject({ status: 200 });
    });

    test("where the application around it has TLS, its pages are https alone", async () => {
      const encrypted: RequestHandler = (request, _response, next) => {
        Object.defineProperty(request.socket, "encrypted", { value: true, configurable: true });
        next();
      };
      const serving = await serve({ before: encrypted });
      const status = async (origin: string): Promise<number> =>
        (await serving.ask("/api/v1/health", { headers: { host: own, origin } })).status;
      expect([await status(`https://${own}`), await status(`http://${own}`)]).toEqual([200, 403]);
    });
  });

  test("a link to the page may be followed from anywhere, as it holds no data; nothing else may", async () => {
    const serving = await serve();
    const visit = {
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "navigate",
      "sec-fetch-dest": "document",
    };
    expect(await serving.ask("/", { token: null, headers: visit })).toMatchObject({
      status: 200,
      headers: { "content-type": "text/html; charset=utf-8" },
    });
    for (const { id, path, asking } of (await everyRoute(serving)).filter(
      (each) => each.path !== "/",
    ))
      expect(
        await serving.ask(path, { ...asking, headers: { ...asking.headers, ...visit } }),
        id,
      ).toMatchObject({ status: 403 });
    for (const other of [
      { "sec-fetch-dest": "iframe" },
      { "sec-fetch-mode": "no-cors" },
      { host: "evil.example" },
      { origin: "https://evil.example" },
    ])
      expect(await serving.ask("/", { headers: { ...visit, ...other } })).toMatchObject({
        status: 403,
      });
  });

  test("without an Origin the token is asked for", async () => {
    expect(await (await serve()).ask("/api/v1/health", { token: null })).toMatchObject({
      status: 401,
    });
  });

  test("control: with the guard off the same requests are answered", async () => {
    expect(
      (await letThrough(await serve({ before: guardsOff }), 403, { headers: { origin: "null" } }))
        .length,
    ).toBeGreaterThan(20);
  });
});

describe("A03 the token is asked for on every route but those without data, in the header alone", () => {
  test.each([null, `${token}x`, token.slice(1), token.toUpperCase(), ""])(
    "%j is not the token",
    async (shown) => {
      const serving = await serve({ failedTokens: { ...failedTokenBounds, perAddress: 1_000 } });
      expect(
        (await letThrough(serving, 401, { token: shown })).map((each) => each.split(" ")[0]),
      ).toEqual(withoutToken);
      expect(serving.ports.asked).toEqual([]);
    },
  );

  test("nor is it one in the query, in a cookie, or after another scheme", async () => {
    const serving = await serve();
    expect(
      await serving.ask(`/api/v1/health?token=${token}&access_token=${token}`, { token: null }),
    ).toMatchObject({ status: 401, headers: { "www-authenticate": "Bearer" } });
    expect(
      await serving.ask("/api/v1/health", { token: null, headers: { cookie: `token=${token}` } }),
    ).toMatchObject({ status: 401 });
    expect(
      await serving.ask("/api/v1/health", {
        token: null,
        headers: { authorization: `Basic ${token}` },
      }),
    ).toMatchObject({ status: 401 });
  });

  test("what is not served asks for it too, so that nobody learns what there is", async () => {
    expect(await (await serve()).ask("/api/v1/nothing", { token: null })).toMatchObject({
      status: 401,
    });
  });

  test("a token that is too short is no token", () => {
    expect(() =>
      createControlPlane({
        ports: createPorts(),
        access: { type: "token", token: "short" },
        version: "1",
        onFault: () => {},
      }),
    ).toThrow("32 characters");
  });

  test("control: with the guard off every route answers", async () => {
    expect(
      (await letThrough(await serve({ before: guardsOff }), 401, { token: null })).length,
    ).toBeGreaterThan(20);
  });
});

describe("A03 tokens that fail are told and slowed down", () => {
  type Failing = {
    readonly serving: Serving;
    readonly told: readonly FailedToken[];
    later(ms: number): void;
  };
  const refused = (times: number): readonly number[] => Array.from({ length: times }, () => 401);

  /** A service with a clock that the test sets. */
  async function failing(bounds: Partial<FailedTokenBounds> = {}): Promise<Failing> {
    let now = noon;
    const told: FailedToken[] = [];
    const serving = await serve({
      ports: { ...createPorts(), clock: { now: () => now } },
      mcp: createMcpEndpoint,
      failedTokens: { ...failedTokenBounds, ...bounds },
      onFailedToken: (failed) => told.push(failed),
    });
    return { serving, told, later: (ms) => void (now += ms) };
  }

  const wrong = (n: number): Asking => ({ token: `${String(n).padStart(32, "x")}` });

  async function statuses({ serving }: Failing, times: number, path = "/api/v1/health") {
    const found: number[] = [];
    for (let n = 0; n < times; n++) found.push((await serving.ask(path, wrong(n))).status);
    return found;
  }

  test("each is told, with the address and without the token", async () => {
    const service = await failing();
    await statuses(service, 2);
    const one = { address: "127.0.0.1", untold: 0 };
    expect(service.told).toEqual([one, one]);
    expect(JSON.stringify(service.told)).not.toContain("xxx");
  });

  test("after ten in a minute the next is told to wait until the minute is over", async () => {
    const service = await failing();
    expect(await statuses(service, 12)).toEqual([...refused(10), 429, 429]);
    service.later(20_000);
    const answer = await service.serving.ask("/api/v1/health", wrong(0));
    expect(answer).toMatchObject({ status: 429, headers: { "retry-after": "40" } });
    expect(answer.json()).toMatchObject({ code: "LOOP_E_TOKEN_LIMIT", hint: expect.any(String) });
    service.later(40_000);
    expect(await statuses(service, 1)).toEqual([401]);
  });

  test("the right token passes all the while: this machine has one address", async () => {
    const service = await failing();
    for (let n = 0; n < 30; n++) {
      await statuses(service, 1);
      expect(await service.serving.ask("/api/v1/health")).toMatchObject({ status: 200 });
    }
    expect(await statuses(service, 1)).toEqual([429]);
  });

  const stream = "/api/v1/events/stream";
  test.each(["/mcp", stream, "/metrics", "/api/v1/x"])("so it is at %s", async (path) => {
    const service = await failing();
    expect(await statuses(service, 11, path)).toEqual([...refused(10), 429]);
    expect(service.told.length).toBeGreaterThan(0);
  });

  test("failures at all routes count together", async () => {
    const service = await failing();
    await statuses(service, 5, "/mcp");
    await statuses(service, 5, stream);
    expect(await statuses(service, 1)).toEqual([429]);
  });

  test("five lines a minute are told, and then how many were not", async () => {
    const service = await failing();
    await statuses(service, 100);
    expect(service.told).toHaveLength(5);
    service.later(60_000);
    await statuses(service, 1);
    expect(service.told.at(-1)).toEqual({ address: "127.0.0.1", untold: 95 });
  });

  test("what was not told yet is told at the end", async () => {
    const service = await failing();
    await statuses(service, 8);
    await service.serving.close();
    expect(service.told.at(-1)).toEqual({ address: "127.0.0.1", untold: 2 });
    expect(service.told).toHaveLength(6);
  });

  test.each([
    ["another scheme", `Basic ${token}`],
    ["the token without a scheme", token],
    ["a scheme in other letters", `bearer ${token}`],
    ["two tokens", `Bearer ${token}, Bearer ${token}`],
    ["nothing behind the scheme", "Bearer"],
    ["an empty header", ""],
  ])("%s counts as a token that fails", async (_what, authorization) => {
    const service = await failing({ perAddress: 1 });
    const shown = { token: null, headers: { authorization } };
    expect((await service.serving.ask("/api/v1/health", shown)).status).toBe(401);
    expect((await service.serving.ask("/api/v1/health", shown)).status).toBe(429);
    expect(service.told).toHaveLength(2);
  });

  test("a request that shows none is refused, and is no failure: clients begin so", async () => {
    const service = await failing();
    for (let n = 0; n < 20; n++) {
      expect((await service.serving.ask("/mcp", { token: null })).status).toBe(401);
    }
    expect(service.told).toEqual([]);
  });

  test("an address that anybody can write into a header is not the address", async () => {
    const service = await failing({ perAddress: 2 });
    const found: number[] = [];
    for (let n = 0; n < 3; n++) {
      const headers = { "x-forwarded-for": `10.0.0.${n}`, forwarded: `for=10.0.0.${n}` };
      found.push((await service.serving.ask("/api/v1/health", { ...wrong(n), headers })).status);
    }
    expect(found).toEqual([401, 401, 429]);
    expect(new Set(service.told.map(({ address }) => address))).toEqual(new Set(["127.0.0.1"]));
  });

  test("control: with the bounds off every guess is answered alike", async () => {
    const service = await failing({ perAddress: 1_000 });
    expect(new Set(await statuses(service, 100))).toEqual(new Set([401]));
  });
});

describe("A04 what a form on a page can send changes nothing", () => {
  const writes = async (
    serving: Serving,
  ): Promise<readonly { readonly id: string; readonly path: string; readonly asking: Asking }[]> =>
    (await everyRoute(serving)).filter(
      ({ asking }) => asking.method === "POST" || asking.method === "PUT",
    );

  test.each([
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "text/plain",
    "text/plain;application/json",
    "application/jsonx",
  ])("a body of the type %s", async (type) => {
    const serving = await serve();
    for (const { id, path, asking } of await writes(serving))
      expect(
        await serving.ask(path, { ...asking, headers: { "content-type": type } }),
        id,
      ).toMatchObject({ status: 415 });
    expect(serving.ports.asked).toEqual([]);
  });

  test("nor does one without a type", async () => {
    const serving = await serve();
    for (const { path } of await writes(serving))
      expect(await serving.ask(path, { method: "POST" })).not.toMatchObject({ status: 200 });
    expect(serving.ports.asked).toEqual([]);
  });

  test("control: a body of the right type is taken", async () => {
    const serving = await serve();
    expect(await serving.ask("/api/v1/restart", post({}))).toMatchObject({ status: 202 });
    expect(serving.ports.asked).toEqual(["restart"]);
  });
});

describe("who may not write is asked before anything is read or done", () => {
  const refusing = {
    mayWrite: (_request: unknown, operation: string) =>
      Promise.reject(
        new LoopError(
          "LOOP_E_INSIDE_TURN",
          `an agent may not ask for ${operation}`,
          "a person decides",
        ),
      ),
  };

  test("every write is refused, and every read is answered", async () => {
    const serving = await serve(refusing);
    const reads = new Set(operations.filter(({ kind }) => kind === "read").map(({ name }) => name));
    for (const { id, path, asking } of await everyRoute(serving)) {
      const { status } = await serving.ask(path, asking);
      if (reads.has(id)) expect(status, id).toBe(200);
      else if (operations.some(({ name }) => name === id)) expect(status, id).toBe(403);
    }
    expect(serving.ports.asked).toEqual([]);
  });

  test("so it is over /mcp", async () => {
    const serving = await serve({ ...refusing, mcp: createMcpEndpoint });
    const call = (name: string): Asking => ({
      ...post({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name, arguments: samples[name] },
      }),
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
    });
    expect((await serving.ask("/mcp", call("control-work-item"))).json()).toMatchObject({
      status: 403,
      code: "LOOP_E_INSIDE_TURN",
    });
    expect(await serving.ask("/mcp", call("show-health"))).toMatchObject({ status: 200 });
    expect(serving.ports.asked).toEqual([]);
  });
});

describe("A06 what somebody wrote is never carried out where it is looked at", () => {
  const nasty = "</script><script>alert(1)</script>\n\u001b[31mred\u009b2J\u202eevil\u2028data: x";

  test("titles and lines come as JSON in one line without a character that a terminal, a page or a stream would obey", async () => {
    const serving = await serve();
    const item = [...serving.ports.records.states.values()][0];
    if (item?.workItem === null || item === undefined)
      throw new Error("the records hold no work item");
    serving.ports.records.states.set(item.workItem.ref, {
      ...item,
      workItem: { ...item.workItem, title: nasty },
    });
    serving.ports.records.write({
      kind: "daemon.warning",
      reason: nasty,
      fields: { detail: nasty, [nasty]: 1 },
    });
    for (const path of [
      "/api/v1/work-items",
      "/api/v1/work-items/host%3Aocto%2Fshop%237",
      "/api/v1/events",
      "/api/v1/work-items/host%3Aocto%2Fshop%237/timeline",
    ]) {
      const answer = await serving.ask(path);
      expect(answer.text, path).toMatch(/^[\x20-\x3b\x3d\x3f-\x7e]+$/);
      expect(answer.headers).toMatchObject({
        "content-type": "application/json; charset=utf-8",
        "x-content-type-options": "nosniff",
        "content-security-policy": expect.stringContaining("default-src 'none'"),
        "cache-control": "no-store",
      });
      expect(JSON.stringify(answer.json())).toContain(JSON.stringify(nasty).slice(1, -1));
    }
  });

  test("the page runs its own script and nothing else, and no text can become markup", async () => {
    const serving = await serve();
    const page = await serving.ask("/", { token: null });
    expect(page.headers["content-security-policy"]).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(page.text.match(/<script[^>]*>/g)).toEqual([
      expect.stringMatching(/^<script type="module" crossorigin src="\.\/assets\/[\w-]+\.js">$/),
    ]);
    expect(page.text).not.toMatch(/ on[a-z]+=|<style|javascript:/);
  });

  test("so does what an asker wrote and gets back", async () => {
    const answer = await (
      await serve()
    ).ask(
      `/api/v1/work-items/host%3Aocto%2Fshop%237/collaborators/${encodeURIComponent(nasty.slice(0, 60))}`,
      { method: "DELETE" },
    );
    expect(answer.status).toBe(400);
    expect(answer.text).toMatch(/^[\x20-\x3b\x3d\x3f-\x7e]+$/);
  });
});

test("a client that leaves in the middle of its body is no fault of the service", async () => {
  const serving = await serve();
  await new Promise<void>((resolve) => {
    const socket = connect(serving.port, "127.0.0.1", () => {
      socket.write(
        `POST /api/v1/restart HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{`,
      );
      setTimeout(() => socket.destroy(), 100);
    });
    socket.on("close", () => resolve());
  });
  expect((await serving.ask("/api/v1/health")).status).toBe(200); // It has seen the other one go.
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(serving.faults).toEqual([]);
  expect(serving.ports.asked).toEqual([]);
});
