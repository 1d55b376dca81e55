import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { laneCount, runLanes, type Step, withoutFence, withoutLease } from "./lane-run.ts";
import { type Driver, drivers, memoryDriver } from "./subjects.ts";

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
const steps = fc.array(step, { minLength: 5, maxLength: 60 });

async function verdict(
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

describe("lanes under random appends, takings, crashes, stalls and endings", () => {
  test.each(
    drivers.map((driver) => ({
      driver,
      name: driver.name,
      runs: { memory: 400, sqlite: 40, postgres: 3 }[driver.name] ?? 0,
    })),
  )(
    "S09, D01: in order, no overlap, none lost, none twice ($name)",
    async ({ driver, runs }) => {
      await fc.assert(
        fc.asyncProperty(steps, async (run) => {
          expect(await verdict(driver, run)).toBeNull();
        }),
        { numRuns: runs },
      );
    },
    60_000,
  );

  test.each([
    ["the fence", withoutFence],
    ["the lease", () => withoutLease],
  ])("the check can fail: without %s it finds a violation", async (_, wrap) => {
    const result = await fc.check(
      fc.asyncProperty(steps, async (run) => {
        expect(await verdict(memoryDriver, run, wrap())).toBeNull();
      }),
      { numRuns: 2_000, seed: 1, endOnFailure: true },
    );
    expect(String(result.errorInstance)).toMatch(/appended|under way|one directory/);
  });
});
