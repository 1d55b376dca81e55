import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { steps, testLanes, verdict } from "./lane-property.ts";
import { withoutFence, withoutLease } from "./lane-run.ts";
import { memoryDriver, sqliteDriver } from "./subjects.ts";

describe("lanes under random appends, takings, crashes, stalls and endings", () => {
  testLanes(memoryDriver, 400);
  testLanes(sqliteDriver, 40);

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
