/** Rejects with what was expected when two values differ as JSON: assertions of contract rows, free of any test runner. */
export function same(what: string, actual: unknown, expected: unknown): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) throw differs(what, actual, JSON.stringify(expected));
}

/** The error of a row that did not hold. */
export function differs(what: string, actual: unknown, expected: string): Error {
  return new Error(`${what}: expected ${expected}, got ${JSON.stringify(actual)}`);
}

/** True when both are null or hold the same bytes. */
export function sameBytes(one: Uint8Array | null, other: Uint8Array | null): boolean {
  if (one === null || other === null) return one === other;
  return one.length === other.length && one.every((byte, n) => byte === other[n]);
}
