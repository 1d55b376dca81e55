import { describe, expect, test } from "vitest";
import { textOf } from "../src/repository.ts";
import {
  explanations,
  faultsOf,
  type Requirement,
  requirementsOf,
  sectionsOf,
  titlesOf,
} from "../src/table.ts";

const requirements = requirementsOf(textOf("docs/conformance.md") ?? "");
const sections = sectionsOf(textOf("docs/specification.md") ?? "");

test("docs/conformance.md has a row for every section of the specification, and names tests that exist", () => {
  expect(requirements.length).toBeGreaterThan(100);
  expect(sections.length).toBeGreaterThan(20);
  expect(explanations.filter((section) => !sections.includes(section))).toEqual([]);
  expect(faultsOf(requirements, sections, textOf)).toEqual([]);
});

test("sections of a page are its headings below the title", () => {
  expect(
    sectionsOf("# Title\n\n## One thing\n\n### Its part\n\n```sh\n# no heading\n```\n"),
  ).toEqual(["One thing", "Its part"]);
});

describe("the check of the table can fail", () => {
  const read = (path: string): string | null =>
    path === "a.test.ts"
      ? 'test("does what it says", () => {});\n// test about something else entirely\n'
      : null;
  const known = ["One thing", "Its part"];
  const good = known.map((section): Requirement => ({
    name: "a rule",
    section,
    state: "done",
    tests: ["a.test.ts › does what it says"],
  }));
  const faults = (over: Partial<Requirement>): readonly string[] =>
    faultsOf(
      [
        ...good.slice(1),
        { name: "made up", section: "One thing", state: "done", tests: [], ...over },
      ],
      known,
      read,
    );

  test("a table without a fault has none", () => expect(faultsOf(good, known, read)).toEqual([]));
  test.each<[string, Partial<Requirement>, string]>([
    ["done without a test", {}, "One thing made up: done, and no test says so"],
    [
      "a file that is not there",
      { tests: ["b.test.ts › does what it says"] },
      "One thing made up: there is no file b.test.ts",
    ],
    [
      "a test that is not there",
      { tests: ["a.test.ts › does what it never said"] },
      'One thing made up: a.test.ts has no test called "does what it never said"',
    ],
    [
      "words of a comment",
      { tests: ["a.test.ts › something else entirely"] },
      'One thing made up: a.test.ts has no test called "something else entirely"',
    ],
    [
      "a part of a name",
      { tests: ["a.test.ts › does what"] },
      'One thing made up: a.test.ts has no test called "does what"',
    ],
    [
      "no name of a test",
      { tests: ["a.test.ts"] },
      "One thing made up: a.test.ts is not written as path › name",
    ],
    ["a state that is none", { state: "almost" }, "One thing made up: almost is no state"],
    [
      "a section that is none",
      { state: "open", section: "no-thing" },
      "no-thing made up: there is no section no-thing",
    ],
    [
      "an open row that names a test which is not there",
      { state: "open", tests: ["b.test.ts › x"] },
      "One thing made up: there is no file b.test.ts",
    ],
  ])("%s", (_, over, fault) => expect(faults(over)).toContain(fault));
  test("a section without a row", () =>
    expect(faultsOf(good.slice(1), known, read)).toEqual(["section One thing has no row"]));
  test("a requirement that stands there twice", () =>
    expect(faultsOf([...good, ...good.slice(0, 1)], known, read)).toEqual([
      "One thing a rule: stands there twice",
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
    "| a | b | c | d |\n|---|---|---|---|\n| [One thing](specification.md#one-thing) | x \\| y | done | `p › q`<br>`r › s` |\n| two | cells |\n";
  expect(requirementsOf(page)).toEqual([
    { name: "x | y", section: "One thing", state: "done", tests: ["p › q", "r › s"] },
  ]);
});
