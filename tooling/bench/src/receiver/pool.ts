import { createHash, type Hash } from "node:crypto";
import { createRequire } from "node:module";

const digits = 12;
/** Median of the 103 example payloads of the nine events. */
const medianBytes = 13_367;
const blockBytes = 64;

/**
 * Signed deliveries that differ in id and body: the body of one real example with a number in it.
 */
export type Pool = {
  /**
   * Bytes of one request on the wire, for `path`. Each connection takes one and changes its numbers
   * in place.
   */
  request(path: string): PooledRequest;
  readonly bodyBytes: number;
};

export type PooledRequest = {
  readonly bytes: Buffer;
  /** Makes the bytes the n-th delivery. */
  become(n: number): void;
};

/**
 * The median payload of the nine events (13.3 KB). Signatures of the first `ahead` deliveries are
 * computed before anything is measured; later ones when they are needed, from the state of the HMAC
 * in front of the number.
 */
export function createPool(secret: string, ahead: number): Pool {
  const template = templateBody();
  const sign = signerOf(secret, template.slice(0, -digits - 2), '"}');
  const signatures = Buffer.alloc(ahead * 64);
  for (let n = 0; n < ahead; n += 1) signatures.write(sign(padded(n)), n * 64, "latin1");
  return {
    bodyBytes: template.length,
    request: (path) => {
      const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: GitHub-Hookshot/044aadd\r\nAccept: */*\r\nContent-Type: application/json\r\nX-GitHub-Hook-ID: 1\r\nX-GitHub-Event: issue_comment\r\nX-GitHub-Delivery: 72d3162e-cc78-11e3-`;
      const middle = "\r\nX-Hub-Signature-256: sha256=";
      const bytes = Buffer.from(
        `${head}${padded(0)}${middle}${"0".repeat(64)}\r\nContent-Length: ${template.length}\r\n\r\n${template}`,
        "latin1",
      );
      const idAt = head.length;
      const signatureAt = idAt + digits + middle.length;
      const numberAt = bytes.length - digits - 2;
      return {
        bytes,
        become: (n) => {
          const number = padded(n);
          bytes.write(number, idAt, "latin1");
          bytes.write(number, numberAt, "latin1");
          if (n < ahead) signatures.copy(bytes, signatureAt, n * 64, n * 64 + 64);
          else bytes.write(sign(number), signatureAt, "latin1");
        },
      };
    },
  };
}

/** HMAC-SHA256 in its two hashes, so that the state before the number is computed once. */
function signerOf(secret: string, before: string, after: string): (number: string) => string {
  const key = Buffer.alloc(blockBytes);
  key.write(secret, "utf8");
  const inner = padHash(key, 0x36).update(before, "latin1");
  const outer = padHash(key, 0x5c);
  return (number) =>
    outer
      .copy()
      .update(
        inner
          .copy()
          .update(number + after, "latin1")
          .digest(),
      )
      .digest("hex");
}

function padHash(key: Buffer, pad: number): Hash {
  return createHash("sha256").update(key.map((byte) => byte ^ pad));
}

/**
 * The `issue_comment` of the public examples that is nearest to the median size, as ASCII, ending
 * in a number of twelve digits.
 */
export function templateBody(): string {
  const sets: unknown = createRequire(import.meta.url)(
    "@octokit/webhooks-examples/api.github.com/index.json",
  );
  const examples: readonly object[] = Array.isArray(sets)
    ? (sets.find((set) => set.name === "issue_comment")?.examples ?? [])
    : [];
  const texts = examples.map((example) =>
    JSON.stringify({ ...example, bench: padded(0) }).replaceAll(/[^\x20-\x7e]/g, "?"),
  );
  const nearest = texts.toSorted(
    (one, other) => Math.abs(one.length - medianBytes) - Math.abs(other.length - medianBytes),
  )[0];
  if (nearest === undefined)
    throw new Error("the package of example payloads has another form than expected");
  return nearest;
}

function padded(n: number): string {
  return String(n).padStart(digits, "0");
}
