import type { Sample } from "./probe.ts";

/** Longest that the event loop may be away above what the machine does to any process (adversarial-cases.md, L7). */
export const allowedBlockMs = 50;

/** The window in which the loop was away longest, against what was to be expected there. */
export type WorstBlock = { readonly at: number; readonly blockMs: number; readonly cpuMs: number; readonly baselineMs: number };

/**
 * The worst window of a service by what it has above its baseline: the worst of its own idle time, or of a bystander at about the same
 * time if that was worse. Null without samples.
 */
export function worstBlock(samples: readonly Sample[], idle: readonly Sample[], bystander: readonly Sample[]): WorstBlock | null {
  const idleMs = Math.max(0, ...idle.map(({ worstMs }) => worstMs));
  let worst: WorstBlock | null = null;
  let from = 0;
  for (const { at, worstMs, cpuMs } of samples) {
    while ((bystander[from]?.at ?? Number.POSITIVE_INFINITY) < at - 1_000) from += 1;
    let baselineMs = idleMs;
    for (let n = from; (bystander[n]?.at ?? Number.POSITIVE_INFINITY) <= at + 1_000; n += 1) baselineMs = Math.max(baselineMs, bystander[n]?.worstMs ?? 0);
    if (worst === null || worstMs - baselineMs > worst.blockMs - worst.baselineMs) worst = { at, blockMs: worstMs, cpuMs, baselineMs };
  }
  return worst;
}
