import type { ActivityStep } from "@loopwork/core/ports";

/** Rows of each kind that are counted at most: a look takes milliseconds, however long the log. */
export const mostCounted = 50_000;

/** Something that happened, as it is counted. */
export type Happened = {
  readonly what: "accepted" | "decided" | "failed";
  readonly at: number;
  readonly count: number;
};

/** Puts together what happened in each step, in order of time. */
export function stepsOf(
  happened: readonly Happened[],
  since: number,
  stepMs: number,
): readonly ActivityStep[] {
  const steps = new Map<number, ActivityStep>();
  for (const { what, at, count } of happened) {
    const begin = since + Math.floor((at - since) / stepMs) * stepMs;
    const step = steps.get(begin) ?? { at: begin, accepted: 0, decided: 0, failed: 0 };
    steps.set(begin, { ...step, [what]: step[what] + count });
  }
  return [...steps.values()].toSorted((a, b) => a.at - b.at);
}
