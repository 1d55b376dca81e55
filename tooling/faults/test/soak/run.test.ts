import { expect, test } from "vitest";
import { runSoak } from "../../src/soak/run.ts";
import { quantile, seriesOf } from "../../src/soak/series.ts";

test("R13 a short soak with two storms: everything is answered, stored and heard once, and nothing but the store grows", { timeout: 300_000 }, async () => {
  const said: string[] = [];
  const report = await runSoak({ minutes: 0.2, rate: 20, lanes: 8, seed: 2, storm: { rate: 100, ms: 2_000, everyMs: 6_000 }, say: (text) => said.push(text) });
  expect(report.violations.filter((violation) => !violation.startsWith("memory: ")), said.join("\n")).toEqual([]);
  expect(report).toMatchObject({ stored: report.accepted, unanswered: 0, lost: 0, doubled: 0, outOfOrder: 0 });
  expect([report.storms > 0, report.accepted > 200, report.turnsExpected >= 8, report.rssMiB.first > 0]).toEqual([true, true, true, true]);
});

test("a series is told by its ends, its most and what an hour would add", () => {
  const minute = 60_000;
  expect(seriesOf([{ at: 0, value: 10 }, { at: minute, value: 12 }, { at: 2 * minute, value: 11 }, { at: 3 * minute, value: 13 }])).toEqual({ first: 10, last: 13, most: 13, perHour: 48 });
  expect(seriesOf([])).toEqual({ first: 0, last: 0, most: 0, perHour: 0 });
  expect([quantile([3, 1, 2], 0.5), quantile([3, 1, 2], 0.99), quantile([], 0.5)]).toEqual([2, 3, 0]);
});
