import { setTimeout as sleep } from "node:timers/promises";

/** Looks again and again until something is found; null when the time is over. */
export async function foundWithin<T>(
  look: () => Promise<T | null>,
  withinMs: number,
): Promise<T | null> {
  const end = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== null || performance.now() > end) return found;
    await sleep(50);
  }
}
