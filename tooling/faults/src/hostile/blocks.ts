import type { Sample } from "./probe.ts";

/** Longest that the event loop may be away above what the machine does to any process. */
export const allowedBlockMs = 50;

/** The window in which the loop was away longest, against what was to be expected there. */
export type WorstBlock = {
  readonly at: number;
  readonly blockMs: number;
  readonly cpuMs: number;
  readonly baselineMs: number;
};

/** How far apart two processes may tell of one stall of their machine. */
const apartMs = 1_000;

/**
 * The worst window of a service by what it has above its baseline: the worst of its own idle time,
 * or of a bystander at about the same time if that was worse, for which all of the time counts in
 * which the loop was away: another process may have had the same stall over sooner. Null without
 * samples.
 */
export function worstBlock(
  samples: readonly Sample[],
  idle: readonly Sample[],
  bystander: readonly Sample[],
): WorstBlock | null {
  const idleMs = Math.max(0, ...idle.map(({ worstMs }) => worstMs));
  let worst: WorstBlock | null = null;
  let end = 0;
  for (const { at, worstMs, cpuMs } of samples) {
    while ((bystander[end]?.at ?? Number.POSITIVE_INFINITY) <= at + apartMs) end += 1;
    let baselineMs = idleMs;
    for (
      let n = end - 1;
      (bystander[n]?.at ?? Number.NEGATIVE_INFINITY) >= at - worstMs - apartMs;
      n -= 1
    )
      baselineMs = Math.max(baselineMs, bystander[n]?.worstMs ?? 0);
    if (worst === null || worstMs - baselineMs > worst.blockMs - worst.baselineMs)
      worst = { at, blockMs: worstMs, cpuMs, baselineMs };
  }
  return worst;
}
