import {
  accepted,
  between,
  delivery,
  type Input,
  type Maker,
  pick,
  request,
  signatureOf,
} from "../input.ts";
import { examplesFor } from "./examples.ts";

/** Lengths that lie, chunks, bodies that end too soon: each on a connection of its own. */
export function oddFraming(maker: Maker): Input {
  const { random, stage } = maker;
  const { event, text } = pick(random, examplesFor(stage));
  const body = Buffer.from(text);
  const length = (
    value: string,
    answers: readonly string[],
    after: Input["after"] = "close",
  ): Input =>
    delivery(maker, {
      kind: "framing",
      what: `Content-Length: ${value}`,
      event,
      body,
      without: ["content-length"],
      extra: [["Content-Length", value]],
      answers,
      after,
    });
  const chunked = (
    what: string,
    bytes: Buffer,
    answers: readonly string[],
    after: Input["after"] = "close",
  ): Input => {
    const head = delivery(maker, {
      kind: "framing",
      what: `chunks: ${what}`,
      event,
      body: Buffer.alloc(0),
      signature: signatureOf(body, stage.secret),
      without: ["content-length"],
      extra: [["Transfer-Encoding", "chunked"]],
      answers,
      after,
    });
    return {
      ...head,
      bytes: Buffer.concat([head.bytes, bytes]),
      delivery: delivery(maker, { kind: "", what: "", event, body }).delivery,
    };
  };
  const whole = pieces(body, random);
  const malformed = ["400 LOOP_E_HTTP", "none"];
  const ways: readonly (() => Input)[] = [
    // What the length covers fails its signature; what is left over is no request, and may be met
    // first.
    () =>
      length(String(between(random, 1, body.length - 1)), [
        "401 LOOP_E_SIGNATURE_WRONG",
        "400 LOOP_E_HTTP",
        "415 LOOP_E_BODY_FORM",
      ]),
    () => length(String(body.length + between(random, 1, 5_000)), ["none"], "cut"),
    () =>
      length(
        pick(random, ["abc", "-1", "1e3", "0x10", "5, 6", "", "+5", "99999999999999999999", "1.5"]),
        ["400 LOOP_E_HTTP", "400 LOOP_E_CONTENT_LENGTH", "none"],
      ),
    () => length(String(between(random, 26_214_401, 2 ** 40)), ["413 LOOP_E_BODY_TOO_LARGE"]),
    () => length("0", ["400 LOOP_E_BODY_EMPTY", "400 LOOP_E_HTTP"]),
    () =>
      delivery(maker, {
        kind: "framing",
        what: "two lengths",
        event,
        body,
        extra: [["Content-Length", String(body.length + 1)]],
        answers: ["400 LOOP_E_HTTP", "400 LOOP_E_HEADER_TWICE"],
        after: "close",
      }),
    () =>
      delivery(maker, {
        kind: "framing",
        what: "a length and chunks",
        event,
        body,
        extra: [["Transfer-Encoding", "chunked"]],
        answers: malformed,
        after: "close",
      }),
    () =>
      delivery(maker, {
        kind: "framing",
        what: "another transfer encoding",
        event,
        body,
        extra: [
          ["Transfer-Encoding", pick(random, ["gzip", "identity", "chunked, chunked", "xchunked"])],
        ],
        answers: [...malformed, ...accepted, "401 LOOP_E_SIGNATURE_WRONG", "400 LOOP_E_BODY_EMPTY"],
        after: "close",
      }),
    () => chunked("well formed", Buffer.concat([whole, Buffer.from("0\r\n\r\n")]), accepted),
    () =>
      chunked(
        "with trailers",
        Buffer.concat([whole, Buffer.from("0\r\nX-Host-Delivery: other\r\n\r\n")]),
        accepted,
      ),
    () => chunked("without an end", whole, ["none"], "cut"),
    () => chunked("a size that is none", Buffer.from("zz\r\nx\r\n0\r\n\r\n"), malformed),
    () =>
      chunked(
        "a size without end",
        Buffer.from(`${"f".repeat(between(random, 17, 40))}\r\nx\r\n`),
        malformed,
      ),
    () =>
      chunked(
        "an extension without end",
        Buffer.from(`1;${"x".repeat(20_000)}\r\n{\r\n0\r\n\r\n`),
        ["431 LOOP_E_HEADERS_TOO_LARGE", ...malformed],
      ),
    () => {
      const good = delivery(maker, {
        kind: "framing",
        what: "cut off in its midst",
        event,
        body,
        answers: ["none"],
        after: "cut",
      });
      return { ...good, bytes: good.bytes.subarray(0, between(random, 1, good.bytes.length - 1)) };
    },
  ];
  return pick(random, ways)();
}

function pieces(body: Buffer, random: () => number): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const part = body.subarray(at, at + between(random, 1, 4_000));
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n"));
    at += part.length;
  }
  return Buffer.concat(parts);
}

/** What is no HTTP, or none of ours. */
export function noHttp({ random, stage, n }: Maker): Input {
  const to = random() < 0.7 ? "receiver" : "service";
  const noise = (length: number): Buffer =>
    Buffer.from(Array.from({ length }, () => between(random, 0, 255)));
  const body = Buffer.from("{}");
  const texts: readonly (readonly [string, Buffer])[] = [
    ["noise", noise(between(random, 1, 4_000))],
    ["noise with an end", Buffer.concat([noise(100), Buffer.from("\r\n\r\n")])],
    ["a TLS greeting", Buffer.from("16030100a5010000a10303", "hex")],
    ["HTTP/2 out of the blue", Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")],
    ["no version", Buffer.from("POST /host-webhook\r\n\r\n")],
    ["another version", Buffer.from("POST /host-webhook HTTP/9.9\r\nHost: h\r\n\r\n")],
    ["a header without a colon", Buffer.from("POST /host-webhook HTTP/1.1\r\nHost h\r\n\r\n")],
    ["a folded header", Buffer.from("POST /host-webhook HTTP/1.1\r\nHost: h\r\n folded\r\n\r\n")],
    ["line ends of another kind", Buffer.from("POST /host-webhook HTTP/1.1\nHost: h\n\n")],
    [
      "a method that is none",
      request(
        `${pick(random, ["FETCH", "post", "P\0ST", "", "\xff"])} /host-webhook`,
        [["Host", "h"]],
        body,
      ),
    ],
    ["an address of 20 KB", request(`GET /${"x".repeat(20_000)}`, [["Host", "h"]])],
    [
      "two in one",
      Buffer.concat([
        request("GET /health", [["Host", "127.0.0.1"]]),
        Buffer.from(`smuggled ${n} ${stage.owner}\r\n\r\n`),
      ]),
    ],
    ["no Host", request("GET /health", [])],
    ["nothing but line ends", Buffer.from("\r\n".repeat(between(random, 1, 2_000)))],
  ];
  const [what, bytes] = pick(random, texts);
  const open = ["nothing but line ends", "noise", "a TLS greeting"].includes(what); // Both sides may wait for more.
  const answers = [
    "400 LOOP_E_HTTP",
    "431 LOOP_E_HEADERS_TOO_LARGE",
    "404 LOOP_E_NOT_FOUND",
    "401 LOOP_E_TOKEN",
    "405 LOOP_E_METHOD",
    "403 LOOP_E_FOREIGN_HOST",
    "200 ok",
    "400 LOOP_E_DELIVERY_ID",
    "none",
  ];
  return {
    kind: "no http",
    what,
    to,
    bytes,
    answers,
    delivery: null,
    after: open ? "cut" : "close",
  };
}

/** Paths and methods that are not the webhook's. */
export function oddPath(maker: Maker): Input {
  const { random, stage } = maker;
  const { event, text } = pick(random, examplesFor(stage));
  if (random() < 0.7) {
    const path = pick(random, [
      "/Host-Webhook",
      "/host-webhook/",
      "/host%2dwebhook",
      "/%2e/host-webhook",
      "/./host-webhook",
      "/x/../host-webhook",
      "/host-webhook?x=1",
      "/host-webhook#a",
      "//host-webhook",
      "/host-webhook%00",
      "http://127.0.0.1/host-webhook",
      "/",
      "*",
      "/%",
      "/%ff%fe",
      "/api/v1/restart",
    ]);
    return delivery(maker, {
      kind: "path",
      what: path,
      event,
      body: Buffer.from(text),
      path,
      answers: ["404 LOOP_E_NOT_FOUND"],
    });
  }
  const method = pick(random, ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"]);
  return {
    kind: "path",
    what: `${method} /host-webhook`,
    to: "receiver",
    bytes: request(`${method} /host-webhook`, [["Host", "127.0.0.1"]]),
    answers: ["405 LOOP_E_METHOD"],
    delivery: null,
    after: "go on",
  };
}
