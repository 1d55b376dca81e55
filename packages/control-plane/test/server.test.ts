import { once } from "node:events";
import type { RequestListener } from "node:http";
import { connect, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { createControlPlaneServer, type ServerBounds, serverBounds } from "../src/index.ts";

const good: RequestListener = (_request, response) => void response.end("good");

async function listening(
  over: Partial<ServerBounds> = {},
  listener: RequestListener = good,
): Promise<number> {
  const server = createControlPlaneServer(listener, { ...serverBounds, checkEveryMs: 50, ...over });
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
    [
      "two lengths",
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n",
      400,
      "LOOP_E_HTTP",
    ],
    [
      "endless headers",
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"a".repeat(20_000)}\r\n\r\n`,
      431,
      "LOOP_E_HEADERS_TOO_LARGE",
    ],
  ])("%s: answered with a problem", async (_what, bytes, status, code) => {
    const [head = "", body = ""] = (await answerTo(await listening(), bytes)).split("\r\n\r\n");
    expect(head).toContain(`HTTP/1.1 ${status} `);
    expect(head).toContain("content-type: application/problem+json");
    expect(JSON.parse(body)).toMatchObject({
      type: "about:blank",
      status,
      code,
      detail: expect.any(String),
      hint: expect.any(String),
    });
  });
});

test("a request without Host is answered with a problem as well, one of an older HTTP is not", async () => {
  expect(await answerTo(await listening(), "GET / HTTP/1.1\r\n\r\n")).toMatch(
    /^HTTP\/1.1 400 [^]*problem\+json[^]*LOOP_E_HTTP/,
  );
  expect(await answerTo(await listening(), "GET / HTTP/1.0\r\n\r\n")).toMatch(
    /^HTTP\/1.1 200 [^]*good$/,
  );
});

test("an expectation that nobody knows is passed over", async () => {
  expect(
    await answerTo(
      await listening(),
      "GET / HTTP/1.1\r\nHost: localhost\r\nExpect: the impossible\r\nConnection: close\r\n\r\n",
    ),
  ).toMatch(/^HTTP\/1.1 200 [^]*good$/);
});

describe("a client that takes its time", () => {
  test.each([
    ["with its headers", "GET / HTTP/1.1\r\nHost: localhost\r\n"],
    ["with its first byte", ""],
  ])("%s is let go", { timeout: 30_000 }, async (_what, bytes) => {
    expect(await answerTo(await listening({ headersMs: 200 }), bytes)).toMatch(
      /^HTTP\/1.1 408 [^]*LOOP_E_BODY_LATE|^$/,
    );
  });
});

describe("connections that hold all room", () => {
  const asking = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

  async function opened(port: number, bytes = ""): Promise<Socket> {
    const socket = connect(port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => {});
    await once(socket, "connect");
    socket.write(bytes);
    return socket;
  }

  async function said(socket: Socket): Promise<string> {
    const heard = once(socket, "data").then(([chunk]) => String(chunk));
    return Promise.race([heard, once(socket, "close").then(() => "closed")]);
  }

  async function closed(socket: Socket): Promise<boolean> {
    if (!socket.closed) await once(socket.resume(), "close");
    return socket.closed;
  }

  async function idle(port: number): Promise<Socket> {
    const socket = await opened(port, asking("/"));
    expect(await said(socket)).toContain("200 OK");
    return socket;
  }

  test("idle ones keep nobody out: the one that has been idle longest goes", async () => {
    const port = await listening({ connections: 2 });
    const [first, second] = [await idle(port), await idle(port)];
    expect(await said(await opened(port, asking("/")))).toContain("200 OK");
    expect(await closed(first)).toBe(true);
    second.write(asking("/"));
    expect(await said(second)).toContain("200 OK");
  });

  test.each([
    ["that never sent a byte", ""],
    ["that sent half of their headers", "GET / HTTP/1.1\r\nHost: localhost\r\n"],
  ])("nor do those %s", async (_what, bytes) => {
    const port = await listening({ connections: 1 });
    const first = await opened(port, bytes);
    expect(await said(await opened(port, asking("/")))).toContain("200 OK");
    expect(await closed(first)).toBe(true);
  });

  test("nor do those that do not read their answer", async () => {
    const ended = Promise.withResolvers<void>();
    const port = await listening({ connections: 1 }, (request, response) => {
      response.end(request.url === "/large" ? Buffer.alloc(64 * 1024 * 1024) : "good");
      ended.resolve();
    });
    const slow = (await opened(port)).pause();
    slow.write(asking("/large"));
    await ended.promise;
    expect(await said(await opened(port, asking("/")))).toContain("200 OK");
    expect(await closed(slow)).toBe(true);
  });

  test("streams and requests that are being answered stay, and one more is closed", async () => {
    const waiting: (() => void)[] = [];
    const port = await listening({ connections: 2 }, (request, response) => {
      if (request.url === "/stream") return void response.writeHead(200).write("data: 1\n\n");
      waiting.push(() => response.end("good"));
    });
    const stream = await opened(port, asking("/stream"));
    expect(await said(stream)).toContain("200 OK");
    const slow = await opened(port, asking("/"));
    await expect.poll(() => waiting.length).toBe(1);
    expect(await said(await opened(port, asking("/")))).toBe("closed");
    waiting[0]?.();
    expect(await said(slow)).toContain("good");
    expect(stream.closed).toBe(false);
  });
});
