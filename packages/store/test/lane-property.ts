import fc from "fast-check";
import { expect, test } from "vitest";
import { laneCount, runLanes, type Step } from "./lane-run.ts";
import type { Driver } from "./subjects.ts";

const who = fc.nat({ max: 2 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("append" as const),
      lane: fc.integer({ min: 1, max: laneCount }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant("take" as const), who, merge: fc.boolean() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("settle" as const),
      who,
      end: fc.constantFrom("done" as const, "done" as const, "ready" as const, "failed" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("renew" as const), who }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("crash" as const), who }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("recover" as const), who }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("wait" as const),
      ms: fc.constantFrom(1, 50, 99, 101, 500),
    }),
  },
);
export const steps: fc.Arbitrary<Step[]> = fc.array(step, { minLength: 5, maxLength: 60 });

/** What a run breaks; null when nothing. */
export async function verdict(
  driver: Driver,
  run: readonly Step[],
  wrap?: Parameters<typeof runLanes>[2],
): Promise<string | null> {
  const subject = await driver.fresh();
  try {
    return await runLanes(subject.open, run, wrap);
  } finally {
    await subject.close();
  }
}

/** Random appends, takings, crashes, stalls and endings leave every lane as it must be. */
export function testLanes(driver: Driver, runs: number): void {
  test(`S09, D01: in order, no overlap, none lost, none twice (${driver.name})`, async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (run) => {
        expect(await verdict(driver, run)).toBeNull();
      }),
      { numRuns: runs },
    );
  }, 60_000);
}
