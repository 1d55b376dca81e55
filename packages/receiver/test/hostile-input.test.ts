import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { type Acceptance, InboxUnavailable } from "@loopwork/core/ports";
import express from "express";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createReceiver, formatSignature } from "../src/index.ts";
import { exchange, openRaw, requestText } from "./support/raw-http.ts";
import { deliveryBytes, receiving, secret, send, serving, summary } from "./support/receiving.ts";

const body = `{"action":"opened"}`;
const good = formatSignature(Buffer.from(body), secret);

describe("R01 signatures that are not the right one", () => {
  const wrong = formatSignature(Buffer.from(body), "another secret");
  test.each([
    ["missing", null, "LOOP_E_SIGNATURE_MISSING"],
    ["empty", "", "LOOP_E_SIGNATURE_FORM"],
    ["wrong secret", wrong, "LOOP_E_SIGNATURE_WRONG"],
    ["upper-case hex", `sha256=${good.slice(7).toUpperCase()}`, "LOOP_E_SIGNATURE_FORM"],
    ["upper-case prefix", good.replace("sha256", "SHA256"), "LOOP_E_SIGNATURE_FORM"],
    ["sha1", `sha1=${good.slice(7, 47)}`, "LOOP_E_SIGNATURE_FORM"],
    ["sha1 of full length", `sha1=${good.slice(7)}00`, "LOOP_E_SIGNATURE_FORM"],
    ["short", good.slice(0, -2), "LOOP_E_SIGNATURE_FORM"],
    ["long", `${good}00`, "LOOP_E_SIGNATURE_FORM"],
    ["not hex", `sha256=${"g".repeat(64)}`, "LOOP_E_SIGNATURE_FORM"],
    ["bare hex", good.slice(7), "LOOP_E_SIGNATURE_FORM"],
  ])("%s: 401, nothing stored", async (_, signature, code) => {
    const { port, stored } = await receiving();
    expect(summary(await send(port, { body, signature }))).toEqual([401, code]);
    expect(stored).toEqual([]);
  });

  test("a missing one is refused before the body is asked for", async () => {
    const { port } = await receiving();
    const connection = await openRaw(port);
    connection.send(
      deliveryBytes({ body: "", signature: null, extra: [["Content-Length", "1000"]] }),
    );
    expect((await connection.answer()).status).toBe(401);
    connection.socket.destroy();
  });

  test("the right one is accepted, over bytes and not text", async () => {
    const { port, stored } = await receiving();
    const bytes = "\xff\xfe{\x00}";
    expect((await send(port, { body: bytes })).status).toBe(202);
    expect(Buffer.from(stored[0]?.body ?? []).toString("latin1")).toBe(bytes);
    expect(stored[0]).toMatchObject({
      verified: true,
      source: "webhook",
      digest: formatSignature(Buffer.from(bytes, "latin1"), secret).slice(7),
    });
  });
});

test("control: without a secret, a delivery with a wrong signature is stored", async () => {
  const { port, stored } = await receiving({ secrets: [] });
  expect(
    (await send(port, { body, signature: formatSignature(Buffer.from(body), "another secret") }))
      .status,
  ).toBe(202);
  expect(stored).toHaveLength(1);
});

describe("R02 a body that was changed on the way", () => {
  test("every flipped bit: 401", async () => {
    const { port, stored } = await receiving();
    for (let bit = 0; bit < body.length * 8; bit += 7) {
      const changed = Buffer.from(body);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect((await send(port, { body: changed.toString("latin1"), signature: good })).status).toBe(
        401,
      );
    }
    expect(stored).toEqual([]);
  });

  test.each([
    ["re-encoded", `{ "action": "opened" }`],
    ["with a line end", `${body}\r\n`],
    ["cut", body.slice(0, -1)],
  ])("%s: 401", async (_, changed) => {
    const { port, stored } = await receiving();
    expect((await send(port, { body: changed, signature: good })).status).toBe(401);
    expect(stored).toEqual([]);
  });
});

describe("R03 the same id more than once", () => {
  test.each([2, 100])(
    "%d at once: one stored, all 202, a duplicate line for each other",
    async (times) => {
      const { port, stored, events } = await receiving();
      const answers = await Promise.all(Array.from({ length: times }, () => send(port)));
      expect(answers.every((answer) => answer.status === 202)).toBe(true);
      expect(
        answers.filter((answer) => answer.body === `{"status":"accepted","delivery":"d-1"}`),
      ).toHaveLength(1);
      expect(answers.filter((answer) => answer.body === `{"status":"duplicate"}`)).toHaveLength(
        times - 1,
      );
      expect(stored).toHaveLength(1);
      expect(
        events.filter((event) => event.kind === "duplicate" && event.reason === "id"),
      ).toHaveLength(times - 1);
    },
  );
});

test("R04 a replay under a new id: duplicate, logged as replay", async () => {
  const { port, stored, events } = await receiving();
  await send(port, { id: "one", body });
  expect((await send(port, { id: "two", body })).body).toBe(`{"status":"duplicate"}`);
  expect(stored).toHaveLength(1);
  expect(events.at(-1)).toEqual({
    kind: "duplicate",
    delivery: "two",
    event: "issues",
    reason: "replay",
  });
});

test("R04 with dedupeBody off the replay is a delivery of its own", async () => {
  const { port, stored } = await receiving({ dedupeBody: false });
  await send(port, { id: "one", body });
  await send(port, { id: "two", body });
  expect(stored.map((each) => each.id)).toEqual(["one", "two"]);
});

test("R05 a body under another event's name is stored; the core rejects it when it decides", async () => {
  const { port, stored } = await receiving();
  expect(
    (await send(port, { event: "issues", body: `{"action":"created","comment":{},"issue":{}}` }))
      .status,
  ).toBe(202);
  expect(stored).toHaveLength(1);
});

describe("R06 delivery headers", () => {
  test.each([
    ["two ids", {}, [["X-Host-Delivery", "d-2"]], "LOOP_E_HEADER_TWICE"],
    ["the same id twice", {}, [["x-host-delivery", "d-1"]], "LOOP_E_HEADER_TWICE"],
    ["two signatures", { body }, [["X-Host-Signature-256", good]], "LOOP_E_HEADER_TWICE"],
    ["two events", {}, [["X-Host-Event", "status"]], "LOOP_E_HEADER_TWICE"],
    [
      "families that disagree about the id",
      {},
      [["X-GitHub-Delivery", "d-2"]],
      "LOOP_E_HEADER_CONFLICT",
    ],
    [
      "families that disagree about the event",
      {},
      [["X-Gitea-Event", "status"]],
      "LOOP_E_HEADER_CONFLICT",
    ],
    [
      "families that disagree about the signature",
      {},
      [["X-Hub-Signature-256", good]],
      "LOOP_E_HEADER_CONFLICT",
    ],
    ["no id", { id: null }, [], "LOOP_E_DELIVERY_ID"],
    ["an empty id", { id: "" }, [], "LOOP_E_DELIVERY_ID"],
    ["an id of 129", { id: "x".repeat(129) }, [], "LOOP_E_DELIVERY_ID"],
    ["an id of 10 KB", { id: "x".repeat(10_000) }, [], "LOOP_E_DELIVERY_ID"],
    ["an id that is a path", { id: "../../etc/passwd" }, [], "LOOP_E_DELIVERY_ID"],
    ["an id with a blank", { id: "a b" }, [], "LOOP_E_DELIVERY_ID"],
    ["an id beyond ASCII", { id: "d\xe9" }, [], "LOOP_E_DELIVERY_ID"],
    ["no event", { event: null }, [], "LOOP_E_EVENT_NAME"],
    ["an event with a slash", { event: "a/b" }, [], "LOOP_E_EVENT_NAME"],
    ["an event in upper case", { event: "Issues" }, [], "LOOP_E_EVENT_NAME"],
  ] as const)("%s: 400", async (_, sent, extra, code) => {
    const { port, stored } = await receiving();
    expect(summary(await send(port, { ...sent, extra }))).toEqual([400, code]);
    expect(stored).toEqual([]);
  });

  test.each(["d\u0000-1", "d-1\rx", "d\u0007"])(
    "an id with control characters (%j): 400 by the parser",
    async (id) => {
      const { port, stored } = await receiving();
      expect(summary(await send(port, { id }))).toEqual([400, "LOOP_E_HTTP"]);
      expect(stored).toEqual([]);
    },
  );

  test("families that agree are one", async () => {
    const { port, stored } = await receiving();
    const extra = [
      ["X-GitHub-Delivery", "d-1"],
      ["X-Gitea-Delivery", "d-1"],
      ["X-Forgejo-Event", "issues"],
      ["X-Hub-Signature-256", good],
    ] as const;
    expect((await send(port, { body, extra })).status).toBe(202);
    expect(stored).toHaveLength(1);
  });

  test("the compatible family alone is enough", async () => {
    const { port } = await receiving();
    const extra = [
      ["x-github-delivery", "72d3162e-cc78-11e3-81ab-4c9367dc0958"],
      ["X-GITHUB-EVENT", "issues"],
      ["X-Hub-Signature-256", good],
      ["X-Hub-Signature", "sha1=00"],
    ] as const;
    expect((await send(port, { id: null, event: null, signature: null, body, extra })).status).toBe(
      202,
    );
  });

  test.each(["github", "gitea", "forgejo"] as const)(
    "dialect %s reads its own family and no other",
    async (dialect) => {
      const { port, stored } = await receiving({ dialect });
      const own = { github: "X-GitHub", gitea: "X-Gitea", forgejo: "X-Forgejo" }[dialect];
      expect(summary(await send(port, { body }))).toEqual([400, "LOOP_E_DELIVERY_ID"]);
      const extra = [
        [`${own}-Delivery`, "own"],
        [`${own}-Event`, "issues"],
        ["X-Hub-Signature-256", good],
      ] as const;
      expect(
        (await send(port, { body, signature: "sha256=of another family", extra })).status,
      ).toBe(202);
      expect(stored.map((each) => each.id)).toEqual(["own"]);
    },
  );

  test("dialect host reads the neutral family and no other", async () => {
    const { port, stored } = await receiving({ dialect: "host" });
    expect(
      (
        await send(port, {
          body,
          extra: [
            ["X-GitHub-Delivery", "other"],
            ["X-Hub-Signature-256", "sha256=other"],
          ],
        })
      ).status,
    ).toBe(202);
    expect(stored.map((each) => each.id)).toEqual(["d-1"]);
  });
});

describe("R07 lengths", () => {
  const limit = 64 * 1024;

  test("exactly the limit is accepted, one byte more is 413 before the body is sent", async () => {
    const { port, stored } = await receiving({ maxBodyBytes: limit });
    expect((await send(port, { body: "x".repeat(limit) })).status).toBe(202);
    const connection = await openRaw(port);
    connection.send(
      deliveryBytes({ id: "d-2", body: "", extra: [["Content-Length", String(limit + 1)]] }),
    );
    const answer = await connection.answer();
    expect(summary(answer)).toEqual([413, "LOOP_E_BODY_TOO_LARGE"]);
    expect(answer.headers.get("connection")).toBe("close");
    await connection.closed;
    expect(stored).toHaveLength(1);
  });

  test("chunks over the limit: 413, closed, memory flat", async () => {
    const { port, stored } = await receiving({ maxBodyBytes: limit });
    const connection = await openRaw(port);
    const before = process.memoryUsage().rss;
    connection.send(
      requestText("POST /host-webhook", [
        ["Host", "h"],
        ["X-Host-Delivery", "d-1"],
        ["X-Host-Event", "issues"],
        ["X-Host-Signature-256", good],
        ["Transfer-Encoding", "chunked"],
      ]),
    );
    const chunk = Buffer.concat([
      Buffer.from("10000\r\n"),
      Buffer.alloc(65_536, 120),
      Buffer.from("\r\n"),
    ]);
    const flood = setInterval(
      () => connection.socket.writableLength < 1e6 && connection.send(chunk),
      0,
    );
    const answer = await connection.answer();
    await connection.closed;
    clearInterval(flood);
    expect(summary(answer)).toEqual([413, "LOOP_E_BODY_TOO_LARGE"]);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
    expect(stored).toEqual([]);
  });

  test("a sender that is still sending reads the 413 and is not reset", async () => {
    const { port } = await receiving({ maxBodyBytes: limit });
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const errors: unknown[] = [];
    let text = "";
    socket
      .on("error", (error) => errors.push(error))
      .on("data", (chunk) => (text += String(chunk)));
    socket.write(deliveryBytes({ body: "", extra: [["Content-Length", String(200_000)]] }));
    await expect.poll(() => text).toContain("LOOP_E_BODY_TOO_LARGE");
    for (let sent = 0; sent < 200_000; sent += 20_000) {
      socket.write("x".repeat(20_000));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await new Promise<void>((resolve) => socket.end(() => resolve()));
    expect(errors).toEqual([]);
    socket.destroy();
  });

  test("a good body in many chunks is accepted", async () => {
    const { port, stored } = await receiving();
    const chunks = [...body].map((character) => `1\r\n${character}\r\n`).join("");
    const answer = await exchange(
      port,
      requestText(
        "POST /host-webhook",
        [
          ["Host", "h"],
          ["X-Host-Delivery", "d-1"],
          ["X-Host-Event", "issues"],
          ["X-Host-Signature-256", good],
          ["Transfer-Encoding", "chunked"],
        ],
        `${chunks}0\r\n\r\n`,
      ),
    );
    expect(answer.status).toBe(202);
    expect(Buffer.from(stored[0]?.body ?? []).toString()).toBe(body);
  });

  test("a length that is too short: what it covers fails its signature, the rest is no request", async () => {
    const { port, stored } = await receiving();
    const connection = await openRaw(port);
    connection.send(deliveryBytes({ body, extra: [["Content-Length", "5"]] }));
    // The parser may meet the rest before the answer to the first part is out.
    expect([400, 401]).toContain((await connection.answer()).status);
    await connection.closed;
    expect(stored).toEqual([]);
  });

  test("a length that is too long: 408 when the deadline is over", async () => {
    const { port, stored } = await receiving({
      limits: { requestTimeoutMs: 150, headersTimeoutMs: 150, checkEveryMs: 30 },
    });
    const connection = await openRaw(port);
    connection.send(deliveryBytes({ body, extra: [["Content-Length", "5000"]] }));
    expect(summary(await connection.answer())).toEqual([408, "LOOP_E_BODY_LATE"]);
    await connection.closed;
    expect(stored).toEqual([]);
  });

  test("a sender that goes away in the middle leaves nothing", async () => {
    const { port, stored, receiver } = await receiving();
    const connection = await openRaw(port);
    connection.send(deliveryBytes({ body, extra: [["Content-Length", "5000"]] }));
    await new Promise((resolve) => setTimeout(resolve, 50));
    connection.socket.destroy();
    await receiver.stop();
    expect(stored).toEqual([]);
  });

  test.each([["abc"], ["-1"], ["1e3"], ["0x10"], ["5, 6"], [""]])(
    "Content-Length: %j is 400",
    async (length) => {
      const { port, stored } = await receiving();
      expect((await send(port, { body, extra: [["Content-Length", length]] })).status).toBe(400);
      expect(stored).toEqual([]);
    },
  );

  test("a length beside chunks is 400: two readers would see two bodies", async () => {
    const { port } = await receiving();
    expect((await send(port, { body, extra: [["Transfer-Encoding", "chunked"]] })).status).toBe(
      400,
    );
  });

  test("an empty body is 400", async () => {
    const { port, stored } = await receiving();
    expect(summary(await send(port, { body: "" }))).toEqual([400, "LOOP_E_BODY_EMPTY"]);
    expect(stored).toEqual([]);
  });

  test("bodies that are being received together stay under their bound", async () => {
    const { port } = await receiving({ maxBodyBytes: 100_000, maxBufferedBytes: 1 });
    const connections = await Promise.all(Array.from({ length: 5 }, () => openRaw(port)));
    for (const [n, connection] of connections.entries())
      connection.send(
        deliveryBytes({
          id: `b-${n}`,
          body: "x".repeat(90_000),
          extra: [["Content-Length", "95000"]],
        }),
      );
    const answer = await Promise.any(connections.map((connection) => connection.answer()));
    expect(summary(answer)).toEqual([503, "LOOP_E_BUSY"]);
    expect(answer.headers.get("retry-after")).toBe("5");
    for (const { socket } of connections) socket.destroy();
  });
});

describe("R08 and R11 bodies that are not plain JSON", () => {
  test.each(["gzip", "deflate", "br", "zstd", "gzip, identity"])(
    "Content-Encoding: %s is 415 and never inflated",
    async (encoding) => {
      const { port, stored } = await receiving();
      const bomb = gzipSync(Buffer.alloc(1_000_000)).toString("latin1");
      for (const sent of [bomb, body])
        expect(
          summary(await send(port, { body: sent, extra: [["Content-Encoding", encoding]] })),
        ).toEqual([415, "LOOP_E_BODY_COMPRESSED"]);
      expect(stored).toEqual([]);
    },
  );

  test("compressed without saying so is 415 too", async () => {
    const { port } = await receiving();
    expect(summary(await send(port, { body: gzipSync("{}").toString("latin1") }))).toEqual([
      415,
      "LOOP_E_BODY_COMPRESSED",
    ]);
  });

  test.each([
    ["application/x-www-form-urlencoded", "LOOP_E_BODY_FORM"],
    ["Application/X-WWW-Form-Urlencoded; charset=utf-8", "LOOP_E_BODY_FORM"],
    ["multipart/form-data; boundary=x", "LOOP_E_BODY_FORM"],
    ["text/plain", "LOOP_E_BODY_TYPE"],
  ])("Content-Type: %s is 415 with a hint", async (type, code) => {
    const { port, stored } = await receiving();
    const answer = await send(port, { body: "payload=%7B%7D", extra: [["Content-Type", type]] });
    expect(summary(answer)).toEqual([415, code]);
    expect(answer.body).toContain("application/json");
    expect(stored).toEqual([]);
  });

  test("a form that calls itself JSON is 415", async () => {
    const { port } = await receiving();
    expect(summary(await send(port, { body: "payload=%7B%7D" }))).toEqual([
      415,
      "LOOP_E_BODY_FORM",
    ]);
  });

  test.each(["application/json; charset=utf-8", "application/vnd.host+json", "APPLICATION/JSON"])(
    "Content-Type: %s is JSON",
    async (type) => {
      const { port } = await receiving();
      expect((await send(port, { body, extra: [["Content-Type", type]] })).status).toBe(202);
    },
  );
});

describe("R09 and R10 nothing is parsed before the answer", () => {
  test("R09 10 MB of brackets are stored, and no parser has seen them", async () => {
    const parse = vi.spyOn(JSON, "parse");
    onTestFinished(() => parse.mockRestore());
    const { port, stored } = await receiving();
    expect((await send(port, { body: "[".repeat(10_000_000) })).status).toBe(202);
    expect(stored[0]?.body).toHaveLength(10_000_000);
    expect(parse).not.toHaveBeenCalled();
  });

  test.each([
    "null",
    "[]",
    `"x"`,
    "{}",
    "\xef\xbb\xbf{}",
    "\xff\xfe",
    `{"a":"\\ud800"}`,
    `{"a":1,"a":2}`,
    `{"__proto__":{"x":1}}`,
    "9007199254740993",
    "not json",
    "\x00",
  ])("R10 a signed %j is stored for the core to reject", async (text) => {
    const { port, stored } = await receiving();
    expect((await send(port, { body: text })).status).toBe(202);
    expect(Buffer.from(stored[0]?.body ?? []).toString("latin1")).toBe(text);
    expect(Object.hasOwn(Object.prototype, "x")).toBe(false);
  });
});

describe("R12 senders that stall", () => {
  const limits = { headersTimeoutMs: 150, requestTimeoutMs: 300, checkEveryMs: 30 };

  test("headers byte by byte: closed, however long the body may take", async () => {
    const { port } = await receiving({ limits: { ...limits, requestTimeoutMs: 60_000 } });
    const connection = await openRaw(port);
    connection.send("POST /host-webhook HTTP/1.1\r\nHost: h\r\n");
    const drip = setInterval(() => connection.send("x"), 20);
    expect(summary(await connection.answer())).toEqual([408, "LOOP_E_BODY_LATE"]);
    await connection.closed;
    clearInterval(drip);
  });

  test("a body byte by byte: closed", async () => {
    const { port, stored } = await receiving({ limits });
    const connection = await openRaw(port);
    connection.send(deliveryBytes({ body: "{", extra: [["Content-Length", "5000"]] }));
    const drip = setInterval(() => connection.send(" "), 20);
    expect(summary(await connection.answer())).toEqual([408, "LOOP_E_BODY_LATE"]);
    await connection.closed;
    clearInterval(drip);
    expect(stored).toEqual([]);
  });

  test("no more sockets than configured, and others are served again when they are gone", async () => {
    const { port } = await receiving({ limits: { maxConnections: 3 } });
    const held = await Promise.all([openRaw(port), openRaw(port), openRaw(port)]);
    for (const connection of held) {
      const extra = [
        ["Content-Length", "50"],
        ["Expect", "100-continue"],
      ] as const;
      connection.send(deliveryBytes({ body: "{", extra }));
      expect((await connection.answer()).status).toBe(100);
    }
    const fourth = await openRaw(port);
    await fourth.closed;
    held[0]?.socket.destroy();
    await held[0]?.closed;
    await expect
      .poll(() =>
        send(port).then(
          (answer) => answer.status,
          () => 0,
        ),
      )
      .toBe(202);
    for (const { socket } of held) socket.destroy();
  });
});

test("R13 500 deliveries at once: each is 202 and stored", async () => {
  const { port, stored } = await receiving();
  const answers = await Promise.all(
    Array.from({ length: 500 }, (_, n) => send(port, { id: `storm-${n}` })),
  );
  expect(answers.every((answer) => answer.status === 202)).toBe(true);
  expect(new Set(stored.map((each) => each.id)).size).toBe(500);
});

describe("R14 an inbox that cannot write", () => {
  test.each([
    ["LOOP_E_STORE_UNAVAILABLE", 30],
    ["LOOP_E_BACKLOG_FULL", 7],
  ] as const)("%s: 503 with Retry-After, health stays ok", async (code, seconds) => {
    const { port, events } = await receiving({
      inbox: { append: () => Promise.reject(new InboxUnavailable(code, "disk full", seconds)) },
    });
    const answer = await send(port);
    expect(summary(answer)).toEqual([503, code]);
    expect(answer.headers.get("retry-after")).toBe(String(seconds));
    expect(answer.body).not.toContain("disk full");
    expect(events.at(-1)).toMatchObject({ kind: "refused", reason: code, delivery: "d-1" });
    const health = await exchange(port, requestText("GET /health", [["Host", "h"]]));
    expect([health.status, health.body]).toEqual([200, "ok"]);
  });

  test.each([
    ["rejects", () => Promise.reject(new Error("a bug"))],
    [
      "throws",
      () => {
        throw new TypeError("a bug");
      },
    ],
  ])(
    "an inbox that %s otherwise: still never a 2xx, and the bug is told",
    async (_, append: () => Promise<Acceptance>) => {
      const faults: unknown[] = [];
      const { port } = await receiving({
        inbox: { append },
        onFault: (error) => faults.push(error),
      });
      expect(summary(await send(port))).toEqual([503, "LOOP_E_STORE_UNAVAILABLE"]);
      expect(faults).toHaveLength(1);
    },
  );

  test("no answer goes out before the inbox has answered", async () => {
    const gate = Promise.withResolvers<Acceptance>();
    const { port } = await receiving({ inbox: { append: () => gate.promise } });
    const connection = await openRaw(port);
    connection.send(deliveryBytes());
    const early = await Promise.race([
      connection.answer(),
      new Promise((resolve) => setTimeout(() => resolve("none"), 100)),
    ]);
    expect(early).toBe("none");
    gate.resolve({ kind: "accepted", seq: 1 });
    connection.socket.destroy();
  });
});

describe("R15 no secret", () => {
  test("on loopback: a loud warning, deliveries are stored as unverified", async () => {
    const { port, stored, warnings } = await receiving({ secrets: [], secretName: "MY_SECRET" });
    expect(warnings.join(" ")).toMatch(/MY_SECRET is not set: signatures are NOT verified/);
    expect((await send(port, { signature: null })).status).toBe(202);
    expect((await send(port, { id: "d-2", signature: "sha256=nonsense" })).status).toBe(202);
    expect(stored.map((each) => each.verified)).toEqual([false, false]);
  });

  test("elsewhere: refused, unless it is allowed", async () => {
    const { receiver } = await receiving({ secrets: [] });
    await expect(receiver.listen(0, "0.0.0.0")).rejects.toMatchObject({
      code: "LOOP_E_UNSIGNED_BIND",
    });
    const allowed = createReceiver({
      inbox: { append: () => Promise.reject(new Error("unused")) },
      secrets: [],
      allowUnsigned: true,
    });
    await expect(allowed.listen(0, "0.0.0.0")).resolves.toMatchObject({
      warnings: [expect.stringMatching(/NOT verified/), expect.stringMatching(/plain HTTP/)],
    });
    await allowed.stop();
  });

  test("an empty secret is refused: anyone could sign with it", () => {
    expect(() =>
      createReceiver({
        inbox: { append: () => Promise.reject(new Error("unused")) },
        secrets: [""],
      }),
    ).toThrow(/set but empty/);
  });
});

test("R16 while a secret is rotated both are accepted, afterwards one", async () => {
  const { port, receiver } = await receiving();
  const signedWith = (id: string, key: string): Promise<number> =>
    send(port, {
      id,
      body: `{"n":"${id}"}`,
      signature: formatSignature(Buffer.from(`{"n":"${id}"}`), key),
    }).then((answer) => answer.status);
  expect([await signedWith("a", secret), await signedWith("b", "new")]).toEqual([202, 401]);
  receiver.useSecrets(["new", secret]);
  expect([await signedWith("c", secret), await signedWith("d", "new")]).toEqual([202, 202]);
  receiver.useSecrets(["new"]);
  expect([await signedWith("e", secret), await signedWith("f", "new")]).toEqual([401, 202]);
});

describe("R17 paths", () => {
  test.each([
    "/Host-Webhook",
    "/host-webhook/",
    "/host%2dwebhook",
    "/%2e/host-webhook",
    "/./host-webhook",
    "/x/../host-webhook",
    "/host-webhook?x=1",
    "/host-webhook?",
    "//host-webhook",
    "/host-webhook#a",
    "/host-webhook%00",
    "http://127.0.0.1/host-webhook",
    "/",
    "*",
  ])("POST %s is 404", async (path) => {
    const { port, stored } = await receiving();
    expect(summary(await send(port, { path }))).toEqual([404, "LOOP_E_NOT_FOUND"]);
    expect(stored).toEqual([]);
  });

  test.each(["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"])(
    "%s on the path is 405 and says what is allowed",
    async (method) => {
      const { port } = await receiving();
      const connection = await openRaw(port);
      connection.send(
        requestText(`${method} /host-webhook`, [
          ["Host", "h"],
          ["Connection", "close"],
        ]),
      );
      let text = "";
      connection.socket.on("data", (chunk) => (text += String(chunk)));
      await connection.closed;
      expect(text).toMatch(/^HTTP\/1\.1 405 /);
      expect(text).toMatch(/\r\nallow: POST\r\n/i);
    },
  );

  test.each(["/Health", "/health/", "/health?x", "//health"])("GET %s is 404", async (path) => {
    const { port } = await receiving();
    expect((await exchange(port, requestText(`GET ${path}`, [["Host", "h"]]))).status).toBe(404);
  });
});

describe("R18 events that are not wanted", () => {
  test.each([
    ["ping", "ping"],
    ["push", "unknown-event"],
    ["status", "event-not-listed"],
  ])("%s: 202 ignored, id and reason kept without the body", async (event, why) => {
    const { port, stored, events } = await receiving({ events: ["issues"] });
    expect((await send(port, { event })).body).toBe(`{"status":"ignored"}`);
    expect(stored).toMatchObject([{ id: "d-1", body: null, ignored: why }]);
    expect(events).toEqual([{ kind: "ignored", delivery: "d-1", event, reason: why }]);
    expect((await send(port, { event })).body).toBe(`{"status":"duplicate"}`);
  });

  test("an unsigned ping is 401 like everything else", async () => {
    const { port } = await receiving();
    expect((await send(port, { event: "ping", signature: null })).status).toBe(401);
  });

  test("an empty list means the default set", async () => {
    const { port, stored } = await receiving({ events: [] });
    await send(port, { event: "check_suite" });
    expect(stored[0]?.ignored).toBe(null);
  });
});

describe("mounted in an application of one's own", () => {
  const mounted = async (...before: readonly express.RequestHandler[]): Promise<number> => {
    const { receiver } = await receiving({
      limits: { requestTimeoutMs: 150, headersTimeoutMs: 150 },
    });
    const application = express();
    for (const handler of before) application.use(handler);
    application.use("/hooks", receiver.router);
    application.use((_request, response) => void response.status(404).end("the application's own"));
    return serving(application);
  };

  test("bare, and behind a raw parser", async () => {
    for (const port of [
      await mounted(),
      await mounted(express.raw({ type: () => true, limit: "1mb" })),
    ]) {
      expect((await send(port, { path: "/hooks/host-webhook" })).status).toBe(202);
      expect(
        (await send(port, { path: "/hooks/host-webhook", id: "d-2", signature: good })).status,
      ).toBe(401);
      expect((await send(port, { path: "/hooks/elsewhere" })).body).toBe("the application's own");
    }
  });

  test("R12 the body's deadline holds whatever the application's server allows", async () => {
    const connection = await openRaw(await mounted());
    connection.send(
      deliveryBytes({
        path: "/hooks/host-webhook",
        body: "{",
        extra: [["Content-Length", "5000"]],
      }),
    );
    expect(summary(await connection.answer())).toEqual([408, "LOOP_E_BODY_LATE"]);
    await connection.closed;
  });

  test("behind a parser that swallowed the bytes: 500 that says what to do", async () => {
    const answer = await send(await mounted(express.json()), { path: "/hooks/host-webhook", body });
    expect(summary(answer)).toEqual([500, "LOOP_E_BODY_CONSUMED"]);
    expect(answer.body).toContain("express.json()");
  });
});

test("a connection stays open over many deliveries, refusals included", async () => {
  const { port } = await receiving();
  const connection = await openRaw(port);
  for (let n = 0; n < 20; n += 1) {
    connection.send(deliveryBytes({ id: `k-${n}`, ...(n % 3 === 2 ? { signature: null } : {}) }));
    expect((await connection.answer()).status).toBe(n % 3 === 2 ? 401 : 202);
  }
  connection.socket.destroy();
});

test("a request without Host is 400 with a code, like all that is no HTTP", async () => {
  const { port, stored } = await receiving();
  expect(summary(await exchange(port, requestText("GET /health", [])))).toEqual([
    400,
    "LOOP_E_HTTP",
  ]);
  expect(
    summary(
      await exchange(
        port,
        deliveryBytes().subarray(0).toString("latin1").replace("Host: 127.0.0.1\r\n", ""),
      ),
    ),
  ).toEqual([400, "LOOP_E_HTTP"]);
  expect((await exchange(port, "GET /health HTTP/1.0\r\n\r\n")).body).toBe("ok");
  expect(stored).toEqual([]);
});

test("an expectation that nobody knows is passed over", async () => {
  const { port, stored } = await receiving();
  expect((await send(port, { extra: [["Expect", "the impossible"]] })).status).toBe(202);
  expect(stored).toHaveLength(1);
});

test("a client that waits for 100-continue gets it, or the refusal", async () => {
  const { port } = await receiving();
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const request = httpRequest(
      {
        port,
        path: "/host-webhook",
        method: "POST",
        headers: {
          expect: "100-continue",
          "content-type": "application/json",
          "x-host-delivery": "c-1",
          "x-host-event": "issues",
          "x-host-signature-256": good,
          "content-length": body.length,
        },
      },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    );
    request.on("continue", () => request.end(body)).on("error", reject);
    request.flushHeaders();
  });
  expect(status).toBe(202);
});

test("a logger that throws does not undo the answer, and its error is told", async () => {
  const faults: unknown[] = [];
  const { port } = await receiving({
    onEvent: () => {
      throw new Error("disk of the log is full");
    },
    onFault: (error) => faults.push(error),
  });
  expect((await send(port)).status).toBe(202);
  expect((await send(port)).body).toBe(`{"status":"duplicate"}`);
  expect(faults).toHaveLength(2);
});

test("stopping answers what is in flight, closes idle connections, and can be followed by a new start", async () => {
  const gate = Promise.withResolvers<Acceptance>();
  const { port, receiver } = await receiving({ inbox: { append: () => gate.promise } });
  const [busy, idle] = await Promise.all([openRaw(port), openRaw(port)]);
  busy.send(deliveryBytes());
  await new Promise((resolve) => setTimeout(resolve, 50));
  const stopped = Promise.all([receiver.stop(), receiver.stop()]);
  await idle.closed;
  gate.resolve({ kind: "accepted", seq: 1 });
  expect((await busy.answer()).status).toBe(202);
  await stopped;
  const { address } = await receiver.listen(0);
  expect((await exchange(address.port, requestText("GET /health", [["Host", "h"]]))).body).toBe(
    "ok",
  );
});
