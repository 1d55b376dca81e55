import { between, delivery, type Input, type Maker, pick } from "../input.ts";
import { examplesFor } from "./examples.ts";

const interesting = [
  "\0",
  "\xff\xfe",
  "\xef\xbb\xbf",
  "\r\n",
  "\u2028",
  "{",
  "}",
  "[",
  "]",
  '"',
  "\\",
  "\\u0000",
  "\\ud800",
  "-",
  "1e999",
  "\x1f\x8b",
  "p",
  "null",
  "\x7f",
  "\x1b[2J",
].map((text) => Buffer.from(text, "latin1"));

type Change = (bytes: Buffer, random: () => number) => Buffer;

const changes: Readonly<Record<string, Change>> = {
  "a flipped bit": (bytes, random) => {
    const changed = Buffer.from(bytes);
    const at = between(random, 0, bytes.length - 1);
    changed[at] = (changed[at] ?? 0) ^ (1 << between(random, 0, 7));
    return changed;
  },
  "a byte of chance": (bytes, random) => {
    const changed = Buffer.from(bytes);
    changed[between(random, 0, bytes.length - 1)] = between(random, 0, 255);
    return changed;
  },
  "a part is missing": (bytes, random) => {
    const at = between(random, 0, bytes.length - 1);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + between(random, 1, 200))]);
  },
  "a part is there twice": (bytes, random) => {
    const at = between(random, 0, bytes.length - 1);
    const part = bytes.subarray(at, at + between(random, 1, 400));
    return Buffer.concat([bytes.subarray(0, at), part, part, bytes.subarray(at)]);
  },
  "something odd in between": (bytes, random) => {
    const at = between(random, 0, bytes.length);
    return Buffer.concat([bytes.subarray(0, at), pick(random, interesting), bytes.subarray(at)]);
  },
  "the end is missing": (bytes, random) => bytes.subarray(0, between(random, 0, bytes.length - 1)),
  "the beginning is missing": (bytes, random) =>
    bytes.subarray(between(random, 1, bytes.length - 1)),
  "nothing but noise": (_bytes, random) =>
    Buffer.from(Array.from({ length: between(random, 1, 2_000) }, () => between(random, 0, 255))),
};

/**
 * A published example changed in its bytes, then signed: the receiver must take it, the core must
 * reject or understand it.
 */
export function changedBytes(maker: Maker): Input {
  const { random, stage } = maker;
  const { event, text } = pick(random, examplesFor(stage));
  let body: Buffer = Buffer.from(text);
  let what = "";
  for (let n = between(random, 1, 3); n > 0 && body.length > 1; n -= 1) {
    const [name, change] = pick(random, Object.entries(changes));
    body = Buffer.from(change(body, random));
    what = what === "" ? name : `${what}, ${name}`;
  }
  return delivery(maker, { kind: "bytes", what: `${event}: ${what}`, event, body });
}

/** The same, changed after it was signed. */
export function changedAfterSigning(
  maker: Maker,
  sign: (body: Buffer, secret: string) => string,
): Input {
  const { random, stage } = maker;
  const { event, text } = pick(random, examplesFor(stage));
  const good = Buffer.from(text);
  const [what, change] = pick(random, Object.entries(changes));
  const changed = Buffer.from(change(good, random));
  const body =
    changed.equals(good) || changed.length === 0
      ? Buffer.concat([good, Buffer.from(" ")])
      : changed;
  return delivery(maker, {
    kind: "signature",
    what: `${event}: changed after signing, ${what}`,
    event,
    body,
    signature: sign(good, stage.secret),
    answers: ["401 LOOP_E_SIGNATURE_WRONG"],
  });
}
