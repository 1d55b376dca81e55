import assert from "node:assert/strict";

export function same(actual: unknown, expected: unknown): void {
  assert.deepEqual(actual, expected);
}

/** The text has the part in it. */
export function has(text: string, part: string): void {
  assert.ok(text.includes(part), `${JSON.stringify(part)} is not in ${JSON.stringify(text.slice(0, 2_000))}`);
}

export function holds(condition: boolean, what: string): void {
  assert.ok(condition, what);
}
