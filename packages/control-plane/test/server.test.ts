import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { createControlPlaneServer, type ServerBounds, serverBounds } from "../src/index.ts";

async function listening(over: Partial<ServerBounds> = {}): Promise<number> {
  const server = createControlPlaneServer((_request, response) => void response.end("good"), { ...serverBounds, checkEveryMs: 50, ...over });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** What is said to a client that writes this and then nothing more, until the service closes. */
async function answerTo(port: number, bytes: string): Promise<string> {
  let said = "";
  const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
  socket.on("error", () => {});
  socket.on("data", (chunk: Buffer) => (said += chunk.toString()));
  await once(socket, "close");
  return said;
}

describe("what is no request of HTTP", () => {
  test.each([
    ["other bytes", "\u0016\u0003\u0001", 400, "LOOP_E_HTTP"],
    ["two lengths", "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n", 400, "LOOP_E_HTTP"],
    ["endless headers", `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"a".repeat(20_000)}\r\n\r\n`, 431, "LOOP_E_HEADERS_TOO_LARGE"],
  ])("%s: answered with a problem", async (_what, bytes, status, code) => {
    const [head = "", body = ""] = (await answerTo(await listening(), bytes)).split("\r\n\r\n");
    expect(head).toContain(`HTTP/1.1 ${status} `);
    expect(head).toContain("content-type: application/problem+json");
    expect(JSON.parse(body)).toMatchObject({ type: "about:blank", status, code, detail: expect.any(String), hint: expect.any(String) });
  });
});

test("a request without Host is answered with a problem as well, one of an older HTTP is not", async () => {
  expect(await answerTo(await listening(), "GET / HTTP/1.1\r\n\r\n")).toMatch(/^HTTP\/1.1 400 [^]*problem\+json[^]*LOOP_E_HTTP/);
  expect(await answerTo(await listening(), "GET / HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1.1 200 [^]*good$/);
});

test("an expectation that nobody knows is passed over", async () => {
  expect(await answerTo(await listening(), "GET / HTTP/1.1\r\nHost: localhost\r\nExpect: the impossible\r\nConnection: close\r\n\r\n")).toMatch(/^HTTP\/1.1 200 [^]*good$/);
});

describe("a client that takes its time", () => {
  test.each([
    ["with its headers", "GET / HTTP/1.1\r\nHost: localhost\r\n"],
    ["with its first byte", ""],
  ])("%s is let go", { timeout: 30_000 }, async (_what, bytes) => {
    expect(await answerTo(await listening({ headersMs: 200 }), bytes)).toMatch(/^HTTP\/1.1 408 [^]*LOOP_E_BODY_LATE|^$/);
  });

  test("one connection more than fit is closed, and the others are served", { timeout: 30_000 }, async () => {
    const port = await listening({ connections: 3 });
    const open: Socket[] = [];
    for (let n = 0; n < 3; n++) {
      const socket = connect(port, "127.0.0.1");
      await once(socket, "connect");
      open.push(socket);
    }
    expect(await answerTo(port, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")).toBe("");
    open[0]?.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const [chunk] = (await once(open[0] ?? open[1] ?? connect(port), "data")) as [Buffer];
    expect(chunk.toString()).toContain("200 OK");
    for (const socket of open) socket.destroy();
  });
});
