import { decide, evolve } from "@loopwork/core";
import { afterAll, describe, expect, test } from "vitest";
import { chapters } from "../src/explore/alphabet.ts";
import { label } from "../src/explore/events.ts";
import { explore } from "../src/explore/explore.ts";
import { invariants } from "../src/explore/invariants.ts";
import { marks } from "../src/explore/letter.ts";
import { mutants } from "../src/explore/mutants.ts";
import { policies } from "../src/explore/policies.ts";
import { exploreAll, hunt, type Line } from "../src/explore/run.ts";

const told: Line[] = [];

describe("everything that can happen to a work item, its sessions and its instance", () => {
  test(
    "breaks no invariant, in any order, and was searched to the end",
    { timeout: 180_000 },
    () => {
      const lines = exploreAll((line) => void told.push(line));
      expect(lines.flatMap(({ violations }) => violations)).toEqual([]);
      expect(lines.filter(({ whole }) => !whole)).toEqual([]);
      expect(new Set(lines.map(({ chapter }) => chapter)).size).toBeGreaterThanOrEqual(8);
    },
  );

  afterAll(() => {
    const sum = (of: (line: Line) => number): number =>
      told.reduce((total, line) => total + of(line), 0);
    process.stderr.write(
      `\nexplored ${sum(({ states }) => states)} states and ${sum(({ transitions }) => transitions)} transitions of the lifecycle, ${invariants.length} invariants, ${mutants.length} mutants\n`,
    );
  });
});

describe("a rule that is broken on purpose is found", () => {
  test.each(mutants)("$breaks: $how", { timeout: 60_000 }, (mutant) => {
    const found = hunt(mutant);
    expect(found?.path.length).toBeGreaterThan(0);
  });

  test.each(invariants)("there is a mutant for: %s", (invariant) => {
    expect(mutants.map(({ breaks }) => breaks)).toContain(invariant);
  });
});

test.each(marks)("some letter is marked: %s", (mark) => {
  expect(
    chapters.some(({ letters }) =>
      letters.some((letter) => !letter.own && letter.marks.includes(mark)),
    ),
  ).toBe(true);
});

test("a search that is cut off says so", () => {
  expect(
    explore({
      letters: [label("alice", true)],
      policy: policies["as it comes"],
      rules: { decide, evolve },
      most: 1,
    }),
  ).toMatchObject({ states: 1, whole: false });
});
