import { expect, test } from "vitest";
import { runSoak } from "../../src/soak/run.ts";
import { quantile, seriesOf } from "../../src/soak/series.ts";
import { levelsOff } from "../../src/soak/size.ts";

/** How much is for a machine that does nothing else, and for a run that takes longer. */
const measured = /^(memory|disk): /;

test(
  "R13 a short soak with two storms: everything is answered, stored and heard once, and nothing but the store grows",
  { timeout: 300_000 },
  async () => {
    const said: string[] = [];
    const report = await runSoak({
      minutes: 0.2,
      rate: 20,
      lanes: 8,
      seed: 2,
      storm: { rate: 100, ms: 2_000, everyMs: 6_000 },
      without: null,
      say: (text) => said.push(text),
    });
    expect(
      report.violations.filter((violation) => !measured.test(violation)),
      said.join("\n"),
    ).toEqual([]);
    expect(report).toMatchObject({
      stored: report.accepted,
      unanswered: 0,
      lost: 0,
      doubled: 0,
      outOfOrder: 0,
    });
    expect([report.retentionMs, report.forgotten > 0]).toEqual([2_000, true]);
    expect([
      report.storms > 0,
      report.accepted > 200,
      report.turnsExpected >= 8,
      report.rssMiB.first > 0,
    ]).toEqual([true, true, true, true]);
  },
);

test("without retention nothing is forgotten", { timeout: 300_000 }, async () => {
  const report = await runSoak({
    minutes: 0.1,
    rate: 20,
    lanes: 2,
    seed: 2,
    storm: { rate: 1, ms: 1, everyMs: 60_000 },
    without: "retention",
    say: () => {},
  });
  expect([report.retentionMs, report.forgotten, report.stored > 0]).toEqual([null, 0, true]);
  expect(report.violations).toContainEqual(
    expect.stringMatching(/^disk: \d+ bodies were there after twice the time/),
  );
});

test("what goes on growing by a third is told; what levels off, falls or was never there is not", () => {
  const over = (
    value: (minute: number) => number,
  ): readonly { readonly at: number; readonly value: number }[] =>
    Array.from({ length: 61 }, (_, n) => ({ at: n * 60_000, value: value(n) }));
  expect(
    levelsOff(
      "MiB",
      over((n) => n),
    ),
  ).toEqual([
    "disk: MiB does not level off: 30.0 over the second third of the time, 50.0 over the last",
  ]);
  expect(
    levelsOff(
      "MiB",
      over((n) => Math.min(n, 15) + (n % 3)),
    ),
  ).toEqual([]);
  expect(
    levelsOff(
      "MiB",
      over((n) => 100 - n),
    ),
  ).toEqual([]);
  expect(levelsOff("MiB", [])).toEqual([]);
});

test("a series is told by its ends, its most and what an hour would add", () => {
  const minute = 60_000;
  expect(
    seriesOf([
      { at: 0, value: 10 },
      { at: minute, value: 12 },
      { at: 2 * minute, value: 11 },
      { at: 3 * minute, value: 13 },
    ]),
  ).toEqual({ first: 10, last: 13, most: 13, perHour: 48 });
  expect(seriesOf([])).toEqual({ first: 0, last: 0, most: 0, perHour: 0 });
  expect([quantile([3, 1, 2], 0.5), quantile([3, 1, 2], 0.99), quantile([], 0.5)]).toEqual([
    2, 3, 0,
  ]);
});
