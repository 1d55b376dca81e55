import { createHash, createHmac } from "node:crypto";
import type { Stage } from "../payloads.ts";

export type Header = readonly [name: string, value: string];

/**
 * One hostile request. `bytes` go out as they are. `answers`: what may come back, as `202 accepted`
 * or `401 LOOP_E_…`; `none` where the connection may end without an answer.
 */
export type Input = {
  readonly kind: string;
  /** What is hostile about it, for whoever reads a violation. */
  readonly what: string;
  readonly to: "receiver" | "service";
  readonly bytes: Buffer;
  readonly answers: readonly string[];
  /**
   * Delivery id, and the digest under which the store keeps a good body, when it is a delivery
   * whose storing is looked at.
   */
  readonly delivery: { readonly id: string; readonly digest: string } | null;
  /** After the bytes: wait for the answer and go on, wait and close, or close at once. */
  readonly after: "go on" | "close" | "cut";
};

/**
 * What inputs are made from: the stage, a number that no other input has, and chance that hangs on
 * seed and number alone.
 */
export type Maker = {
  readonly stage: Stage;
  readonly token: string;
  readonly n: number;
  readonly runId: string;
  readonly random: () => number;
};

export const accepted: readonly string[] = ["202 accepted", "202 duplicate", "202 ignored"];

/**
 * What the receiver must answer to these bytes under a good signature: only the first one is looked
 * at.
 */
export function answersToBody(body: Buffer): readonly string[] {
  if (body.length === 0) return ["400 LOOP_E_BODY_EMPTY"];
  if (body[0] === 0x1f) return ["415 LOOP_E_BODY_COMPRESSED"];
  return body[0] === 0x70 ? ["415 LOOP_E_BODY_FORM"] : accepted;
}

export type DeliveryParts = {
  readonly body: Buffer;
  readonly event: string;
  readonly kind: string;
  readonly what: string;
  readonly answers?: readonly string[];
  readonly signature?: string | null;
  readonly extra?: readonly Header[];
  readonly without?: readonly string[];
  readonly after?: Input["after"];
  readonly path?: string;
};

/**
 * A delivery that is good but for what is given. `without` names headers, in lower case, that are
 * left out.
 */
export function delivery(maker: Maker, parts: DeliveryParts): Input {
  const { body, event, kind, what, extra = [], without = [], path = "/host-webhook" } = parts;
  const id = `${maker.runId}-${maker.n}`;
  const signature =
    parts.signature === undefined ? signatureOf(body, maker.stage.secret) : parts.signature;
  const headers: readonly Header[] = [
    ["Host", "127.0.0.1"],
    ["Content-Type", "application/json"],
    ["X-Host-Delivery", id],
    ["X-Host-Event", event],
    ...(signature === null ? [] : [["X-Host-Signature-256", signature] as const]),
    ["Content-Length", String(body.length)],
  ];
  const kept = headers.filter(([name]) => !without.includes(name.toLowerCase()));
  return {
    kind,
    what,
    to: "receiver",
    bytes: request(`POST ${path}`, [...kept, ...extra], body),
    answers: parts.answers ?? answersToBody(body),
    delivery: { id, digest: signatureOf(body, maker.stage.secret).slice("sha256=".length) },
    after: parts.after ?? "go on",
  };
}

/** A request as it is written; nothing is added. Text goes out as Latin-1, one byte a character. */
export function request(
  line: string,
  headers: readonly Header[],
  body: Buffer = Buffer.alloc(0),
): Buffer {
  return Buffer.concat([
    Buffer.from(
      `${line} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`,
      "latin1",
    ),
    body,
  ]);
}

export function signatureOf(body: Buffer, secret: string): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

export function digestOf(body: Buffer): string {
  return createHash("sha256").update(body).digest("hex");
}

export function pick<T>(random: () => number, list: readonly T[]): T {
  const found = list[Math.floor(random() * list.length)];
  if (found === undefined) throw new Error("there is nothing to choose from");
  return found;
}

/** A whole number from the first to the last, both included. */
export function between(random: () => number, first: number, last: number): number {
  return first + Math.floor(random() * (last - first + 1));
}
