import { describe, expect, test } from "vitest";
import { textOf } from "../src/repository.ts";
import {
  faultsOf,
  owners,
  type Requirement,
  requirementsOf,
  sections,
  titlesOf,
} from "../src/table.ts";

const requirements = requirementsOf(textOf("docs/conformance.md") ?? "");

test("docs/conformance.md: every section has a row, every owner is known, every proof is a test that exists", () => {
  expect(requirements.length).toBeGreaterThan(100);
  expect(faultsOf(requirements, textOf)).toEqual([]);
});

describe("the check of the table can fail", () => {
  const read = (path: string): string | null =>
    path === "a.test.ts"
      ? 'test("does what it says", () => {});\n// test about something else entirely\n'
      : null;
  const owner = owners[0] ?? "";
  const good = sections.map((section): Requirement => ({
    name: "a rule",
    section,
    owner,
    state: "done",
    tests: ["a.test.ts › does what it says"],
  }));
  const faults = (over: Partial<Requirement>): readonly string[] =>
    faultsOf(
      [
        ...good.slice(1),
        { ...good[0], name: "made up", section: "1", owner, state: "done", tests: [], ...over },
      ],
      read,
    );

  test("a table without a fault has none", () => expect(faultsOf(good, read)).toEqual([]));
  test.each<[string, Partial<Requirement>, string]>([
    ["done without a test", {}, "1 made up: done, and no test says so"],
    [
      "a file that is not there",
      { tests: ["b.test.ts › does what it says"] },
      "1 made up: there is no file b.test.ts",
    ],
    [
      "a test that is not there",
      { tests: ["a.test.ts › does what it never said"] },
      '1 made up: a.test.ts has no test called "does what it never said"',
    ],
    [
      "words of a comment",
      { tests: ["a.test.ts › something else entirely"] },
      '1 made up: a.test.ts has no test called "something else entirely"',
    ],
    [
      "a part of a name",
      { tests: ["a.test.ts › does what"] },
      '1 made up: a.test.ts has no test called "does what"',
    ],
    [
      "no name of a test",
      { tests: ["a.test.ts"] },
      "1 made up: a.test.ts is not written as path › name",
    ],
    ["an owner that is none", { state: "open", owner: "Nobody" }, "1 made up: Nobody owns nothing"],
    ["a state that is none", { state: "almost" }, "1 made up: almost is no state"],
    [
      "a section that is none",
      { state: "open", section: "10" },
      "10 made up: there is no section 10",
    ],
    [
      "an open row that names a test which is not there",
      { state: "open", tests: ["b.test.ts › x"] },
      "1 made up: there is no file b.test.ts",
    ],
  ])("%s", (_, over, fault) => expect(faults(over)).toContain(fault));
  test("a section without a row", () =>
    expect(faultsOf(good.slice(1), read)).toEqual(["section 1 has no row"]));
  test("a requirement that stands there twice", () =>
    expect(faultsOf([...good, ...good.slice(0, 1)], read)).toEqual([
      "1 a rule: stands there twice",
    ]));
});

test("names of tests are read from calls and from rows of data, as they are written", () => {
  const source =
    'it.each(rows)("$name of many", f);\ntest.each([["one row of data", 1]])("%s is so", f);\ntest(`a ${"b"} name`, f);\n{ name: "a rule of data" }\nrow("HA-surroundings-01", "a row of the contract", f);\n["first of a row",\n f],\n[\n  "element of a list",\n]';
  expect([...titlesOf(source)]).toEqual([
    "$name of many",
    "one row of data",
    "%s is so",
    'a ${"b"} name',
    "a rule of data",
    "a row of the contract",
    "first of a row",
    "element of a list",
  ]);
});

test("the table is read from the page, with bars and several tests in a cell", () => {
  const page =
    "| a | b | c | d | e |\n|---|---|---|---|---|\n| x \\| y | 1 | o | done | `p › q`<br>`r › s` |\n| two | cells |\n";
  expect(requirementsOf(page)).toEqual([
    { name: "x | y", section: "1", owner: "o", state: "done", tests: ["p › q", "r › s"] },
  ]);
});
