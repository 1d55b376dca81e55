import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";

const patienceMs = 20_000;

/**
 * A page comes in parts: what is asked of it is asked again until it holds, and after 20 s its last
 * difference stands.
 */
export async function settles(look: () => Promise<void>): Promise<void> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const difference: unknown = await look().then(
      () => null,
      (error: unknown) => error ?? new Error("nothing was said"),
    );
    if (difference === null) return;
    if (performance.now() > until) throw difference;
    await wait(50);
  }
}

export function same(actual: unknown, expected: unknown): void {
  assert.deepEqual(actual, expected);
}

/** The text has the part in it. */
export function has(text: string, part: string): void {
  assert.ok(
    text.includes(part),
    `${JSON.stringify(part)} is not in ${JSON.stringify(text.slice(0, 2_000))}`,
  );
}

export function holds(condition: boolean, what: string): void {
  assert.ok(condition, what);
}
