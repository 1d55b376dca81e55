import { setTimeout as sleep } from "node:timers/promises";

/**
 * Looks until there is something; rejects after `withinMs` milliseconds with what was waited for
 * and what was there.
 */
export async function until<T>(
  look: () => T | null | false | Promise<T | null | false>,
  what: string,
  tell: () => string | Promise<string> = () => "",
  withinMs = 120_000,
): Promise<T> {
  const end = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== null && found !== false) return found;
    if (performance.now() > end)
      throw new Error(`${what} did not come within ${withinMs} ms\n${await tell()}`);
    await sleep(20);
  }
}
