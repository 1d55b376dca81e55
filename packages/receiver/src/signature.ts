import {
  createHash,
  createHmac,
  createSecretKey,
  type KeyObject,
  timingSafeEqual,
} from "node:crypto";
import { readSecret, secretFault, type SecretValue, shortestSecret } from "@loopwork/core/ports";
import { misuse } from "./misuse.ts";

const prefix = "sha256=";
const hexDigits = 64;

/** What a signature header says about a body. `digest` is the signature's hex digits. */
export type Verdict =
  | { readonly kind: "good"; readonly digest: string }
  | { readonly kind: "missing" | "malformed" | "wrong" };

/** Checks signatures against every secret that is valid now. */
export type Verifier = {
  /** False when no secret is set: then nothing can be verified. */
  readonly signed: boolean;
  /** True when one of them is short enough to be guessed. */
  readonly short: boolean;
  verify(body: Uint8Array, signature: string | null): Verdict;
};

/**
 * Verifies HMAC-SHA256 over the raw bytes. More than one secret is accepted while one is rotated.
 * Length and alphabet are checked before the comparison, which takes the same time wherever the
 * first difference is. @throws {LoopError} `LOOP_E_RECEIVER_OPTIONS` for a secret that cannot be
 * one.
 */
export function createVerifier(secrets: readonly string[]): Verifier {
  const keys = secrets.map((secret) => createSecretKey(usable(secret), "utf8"));
  return {
    signed: keys.length > 0,
    short: secrets.some((secret) => secret.length < shortestSecret),
    verify: (body, signature) => {
      if (signature === null) return { kind: "missing" };
      if (!isWellFormed(signature)) return { kind: "malformed" };
      const given = Buffer.from(signature.slice(prefix.length), "hex");
      return matchesAny(keys, body, given)
        ? { kind: "good", digest: signature.slice(prefix.length) }
        : { kind: "wrong" };
    },
  };
}

/** An empty secret would let anyone sign, and one with a line break behind it never matches. */
function usable(secret: string): SecretValue {
  const reading = readSecret(secret);
  if (reading.kind === "set") return reading.value;
  throw misuse(
    `A secret ${reading.kind === "refused" ? secretFault(reading.why) : "is not set"}.`,
    "Leave it out, or set a random one of 32 characters or more.",
  );
}

/** True for `sha256=` and 64 lower-case hex digits: the one form that is accepted. */
export function isWellFormed(signature: string): boolean {
  if (signature.length !== prefix.length + hexDigits || !signature.startsWith(prefix)) return false;
  for (let at = prefix.length; at < signature.length; at += 1) {
    const code = signature.charCodeAt(at);
    const isHex = (code >= 48 && code <= 57) || (code >= 97 && code <= 102);
    if (!isHex) return false;
  }
  return true;
}

/** The header value that signs a body: what a sender computes. */
export function formatSignature(body: Uint8Array, secret: string): string {
  return prefix + createHmac("sha256", secret).update(body).digest("hex");
}

/** Names a body that carries no signature of ours. */
export function digestOf(body: Uint8Array): string {
  return createHash("sha256").update(body).digest("hex");
}

/** Tries every key, also after a match, so that the time does not tell which one it was. */
function matchesAny(keys: readonly KeyObject[], body: Uint8Array, given: Buffer): boolean {
  let matches = false;
  for (const key of keys) {
    if (timingSafeEqual(createHmac("sha256", key).update(body).digest(), given)) matches = true;
  }
  return matches;
}
