/**
 * SHA-256 of texts (as UTF-8) and bytes one after the other, in hex. Commands that run after every
 * turn of an agent ask for it, and an import of `node:crypto` lists all that it exports, which
 * loads WebCrypto too: a fifth of starting Node.
 */
export function sha256(...parts: readonly (string | Uint8Array)[]): string {
  return sha256Of(parts);
}

/** The same of pieces that are made one after the other. */
export function sha256Of(parts: Iterable<string | Uint8Array>): string {
  const hash = process.getBuiltinModule("node:crypto").createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}
