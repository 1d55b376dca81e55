import { expect, test } from "vitest";
import { worstBlock } from "../../src/hostile/blocks.ts";

const sample = (at: number, worstMs: number) => ({
  at,
  worstMs,
  cpuMs: worstMs,
  rssMiB: 100,
  openFiles: 20,
});

test("the window that stands out most is told with what was to be expected there", () => {
  const service = [sample(1_000, 30), sample(5_000, 90), sample(9_000, 70)];
  expect(
    worstBlock(service, [sample(0, 4)], [sample(1_000, 2), sample(5_100, 80), sample(9_000, 3)]),
  ).toEqual({ at: 9_000, blockMs: 70, cpuMs: 70, baselineMs: 4 });
});

test("a stall of the machine that a bystander had over before the service, in the same seconds, is no block of the service's", () => {
  const bystander = [sample(11_200, 2_900), sample(13_000, 2)];
  expect(worstBlock([sample(13_000, 3_000), sample(20_000, 90)], [], bystander)).toMatchObject({
    at: 13_000,
    blockMs: 3_000,
    baselineMs: 2_900,
  });
  expect(worstBlock([sample(13_000, 700), sample(20_000, 90)], [], bystander)).toMatchObject({
    at: 13_000,
    blockMs: 700,
    baselineMs: 2,
  });
});

test("a bystander counts only at about the same time", () => {
  expect(worstBlock([sample(5_000, 90)], [], [sample(3_900, 80), sample(6_100, 80)])).toMatchObject(
    { blockMs: 90, baselineMs: 0 },
  );
  expect(worstBlock([], [], [])).toBeNull();
});
