import { once } from "node:events";
import { createServer as createPlainServer, type RequestListener } from "node:http";
import { connect, type Socket } from "node:net";
import type { Acceptance } from "@loopwork/core/ports";
import { describe, expect, onTestFinished, test } from "vitest";
import { createServer, defaultLimits } from "../src/server.ts";
import { createReceiver } from "../src/index.ts";
import { openRaw, type RawConnection, requestText } from "./support/raw-http.ts";
import { deliveryBytes, receiving, secret, send } from "./support/receiving.ts";

const health = requestText("GET /health", [["Host", "h"]]);

async function opened(port: number): Promise<RawConnection> {
  const connection = await openRaw(port);
  onTestFinished(() => void connection.socket.destroy());
  return connection;
}

/** A connection that was answered once and now says nothing. */
async function idle(port: number): Promise<RawConnection> {
  const connection = await opened(port);
  connection.send(health);
  expect((await connection.answer()).status).toBe(200);
  return connection;
}

/** Whether a connection is still served. */
async function answers(connection: RawConnection): Promise<number> {
  connection.send(health);
  return connection.answer().then(
    ({ status }) => status,
    () => 0,
  );
}

/** A server of the receiver's kind around any listener, with its bound on connections. */
async function bounded(maxConnections: number, listener: RequestListener): Promise<number> {
  const limits = { ...defaultLimits, maxConnections, stopGraceMs: 0 };
  const server = createServer(listener, limits, () => {});
  onTestFinished(() => server.stop());
  return (await server.listen(0, "127.0.0.1")).port;
}

describe("R12 connections that hold all room and do nothing", () => {
  test("1,024 idle ones keep no delivery out", async () => {
    const { port, stored } = await receiving();
    for (let n = 0; n < 1024; n += 64)
      await Promise.all(Array.from({ length: 64 }, () => idle(port)));
    expect((await send(port, { id: "after-the-flood" })).status).toBe(202);
    expect(stored.map(({ id }) => id)).toEqual(["after-the-flood"]);
  });

  test("the one that has been idle longest goes first", async () => {
    const { port } = await receiving({ limits: { maxConnections: 3 } });
    const [first, second, third] = [await idle(port), await idle(port), await idle(port)];
    expect(await answers(first)).toBe(200);
    const fourth = await idle(port);
    await second.closed;
    const fifth = await idle(port);
    await third.closed;
    expect([await answers(first), await answers(fourth), await answers(fifth)]).toEqual([
      200, 200, 200,
    ]);
  });

  test("those that never sent a byte go like idle ones", async () => {
    const { port } = await receiving({ limits: { maxConnections: 3 } });
    const silent = [await opened(port), await opened(port), await opened(port)];
    expect((await send(port)).status).toBe(202);
    await silent[0]?.closed;
    expect(await answers(silent[2] ?? silent[1] ?? (await opened(port)))).toBe(200);
  });

  test("those that sent half of their headers stay while one is idle", async () => {
    const { port } = await receiving({ limits: { maxConnections: 2 } });
    const half = await opened(port);
    half.send("GET /health HTTP/1.1\r\nHost: h\r\n");
    const quiet = await idle(port);
    const pending = await opened(port);
    await quiet.closed;
    pending.send("GET /health HTTP/1.1\r\nHost: h\r\n");
    half.send("\r\n");
    expect((await half.answer()).status).toBe(200);
    await idle(port);
    await half.closed;
  });

  test("and let a delivery in when nobody sent more than half", async () => {
    const { port } = await receiving({ limits: { maxConnections: 1 } });
    const half = await opened(port);
    half.send("GET /health HTTP/1.1\r\nHost: h\r\n");
    expect((await send(port)).status).toBe(202);
    await half.closed;
  });

  test("half a hello of TLS is answered and closed, and holds no room", async () => {
    const { port } = await receiving({ limits: { maxConnections: 1 } });
    const hello = await opened(port);
    hello.send(Buffer.from([0x16, 0x03, 0x01]));
    expect((await hello.answer()).status).toBe(400);
    await hello.closed;
    expect((await send(port)).status).toBe(202);
  });

  test("those that do not read their answer go when nothing else can", async () => {
    const asked: string[] = [];
    const port = await bounded(2, (request, response) => {
      asked.push(request.url ?? "");
      response.end(request.url === "/large" ? Buffer.alloc(64 * 1024 * 1024) : "ok");
    });
    const slow: Socket[] = [];
    for (const at of [0, 1]) {
      const socket = connect(port, "127.0.0.1").pause();
      socket.on("error", () => {});
      onTestFinished(() => void socket.destroy());
      socket.write(requestText("GET /large", [["Host", "h"]]));
      slow.push(socket);
      await expect.poll(() => asked.length).toBe(at + 1);
    }
    expect(await answers(await opened(port))).toBe(200);
    const [oldest] = slow;
    oldest?.resume();
    if (oldest !== undefined && !oldest.closed) await once(oldest, "close");
  });
});

describe("R12 a connection in the middle of a request is never closed for another one", () => {
  test("while its body is on the way, and while the inbox writes", async () => {
    const gate = Promise.withResolvers<Acceptance>();
    const appended: string[] = [];
    const append = ({ id }: { readonly id: string }): Promise<Acceptance> => {
      appended.push(id);
      return id === "waits" ? gate.promise : Promise.resolve({ kind: "accepted", seq: 2 });
    };
    const { port } = await receiving({ inbox: { append }, limits: { maxConnections: 2 } });
    const waiting = await opened(port);
    waiting.send(deliveryBytes({ id: "waits" }));
    await expect.poll(() => appended).toEqual(["waits"]);
    const sending = await opened(port);
    const whole = deliveryBytes({ id: "sends", extra: [["Expect", "100-continue"]] });
    sending.send(whole.subarray(0, whole.length - 5));
    expect((await sending.answer()).status).toBe(100);
    for (let n = 0; n < 20; n++) await (await opened(port)).closed;
    sending.send(whole.subarray(whole.length - 5));
    gate.resolve({ kind: "accepted", seq: 1 });
    expect([(await waiting.answer()).status, (await sending.answer()).status]).toEqual([202, 202]);
  });

  test("nor one that reads a long answer while it is being made", async () => {
    const started = Promise.withResolvers<() => void>();
    const port = await bounded(1, (_request, response) => {
      response.writeHead(200, { "content-length": "5" }).write("he");
      started.resolve(() => void response.end("llo"));
    });
    const reading = await opened(port);
    reading.send(health);
    const finish = await started.promise;
    await (
      await opened(port)
    ).closed;
    finish();
    expect((await reading.answer()).body).toBe("hello");
  });
});

test("control: where connections are only counted, idle ones keep a request out", async () => {
  const server = createPlainServer(
    { keepAliveTimeout: 65_000 },
    (_request, response) => void response.end("ok"),
  );
  server.maxConnections = 2;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close().closeAllConnections());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  await idle(port);
  await idle(port);
  await expect(idle(port)).rejects.toThrow();
});

describe("R07 a refused sender that goes on sending", () => {
  test("adds no listeners, however many pieces come after the bound", async () => {
    const sockets: Socket[] = [];
    let most = 0;
    const receiver = createReceiver({
      inbox: { append: () => Promise.reject(new Error("none")) },
      secrets: [secret],
    });
    const server = createPlainServer(receiver.handler);
    server.on("connection", (socket: Socket) => {
      sockets.push(socket);
      const count = (): void => {
        const counts = socket.eventNames().map((name) => socket.listenerCount(name));
        most = Math.max(most, ...counts);
      };
      socket.on("newListener", () => queueMicrotask(count));
    });
    const warnings: string[] = [];
    const warn = (warning: Error): void => void warnings.push(warning.name);
    process.on("warning", warn);
    onTestFinished(() => void process.off("warning", warn));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close().closeAllConnections());
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const connection = await opened(port);
    const headers = [
      ["Host", "h"],
      ["X-Host-Delivery", "d-1"],
      ["X-Host-Event", "issues"],
      ["Transfer-Encoding", "chunked"],
    ] as const;
    connection.send(requestText("POST /host-webhook", headers));
    expect((await connection.answer()).status).toBe(401);
    const large = Buffer.concat([
      Buffer.from("100000\r\n"),
      Buffer.alloc(0x10_0000, 120),
      Buffer.from("\r\n"),
    ]);
    connection.send(Buffer.concat([large, Buffer.from("1\r\nx\r\n".repeat(20_000))]));
    await connection.closed;
    await new Promise((resolve) => setImmediate(resolve));
    expect(sockets).toHaveLength(1);
    expect(warnings).toEqual([]);
    expect(most).toBeLessThanOrEqual(10);
  });
});
