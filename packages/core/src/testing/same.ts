/**
 * Rejects with what was expected when two values differ as JSON, the order of keys aside:
 * assertions of contract rows, free of any test runner.
 */
export function same(what: string, actual: unknown, expected: unknown): void {
  if (plain(actual) !== plain(expected)) throw differs(what, actual, shown(expected));
}

/** Rejects unless `actual` has every key of `expected`, with the same value. */
export function has(
  what: string,
  actual: object,
  expected: Readonly<Record<string, unknown>>,
): void {
  const picked = Object.fromEntries(Object.entries(actual).filter(([key]) => key in expected));
  if (plain(picked) !== plain(expected)) throw differs(what, actual, shown(expected));
}

/** Rejects unless the condition holds; `seen` is what there was instead. */
export function holds(what: string, condition: boolean, seen: unknown = ""): void {
  if (!condition) throw new Error(`${what}${seen === "" ? "" : `: ${shown(seen)}`}`);
}

/** The error of a row that did not hold. */
export function differs(what: string, actual: unknown, expected: string): Error {
  return new Error(`${what}: expected ${expected}, got ${shown(actual)}`);
}

/** True when both are null or hold the same bytes. */
export function sameBytes(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one?.join() === other?.join();
}

/** The value as JSON with sorted keys; a set counts as the list of its members. */
function plain(value: unknown): string {
  return (
    JSON.stringify(value, (_key, each: unknown) => {
      if (each instanceof Set) return [...each];
      return typeof each === "object" && each !== null && !Array.isArray(each)
        ? Object.fromEntries(
            Object.keys(each)
              .toSorted()
              .map((key) => [key, Reflect.get(each, key)]),
          )
        : each;
    }) ?? "undefined"
  );
}

function shown(value: unknown): string {
  return (typeof value === "string" ? value : plain(value)).slice(0, 1500);
}
