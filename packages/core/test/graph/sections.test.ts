import { expect, test } from "vitest";
import { comparable, filledHeadings } from "../../src/graph/sections.ts";

const filled = (text: string): readonly string[] => [...filledHeadings(text)].toSorted();

test("a heading is filled by text under it, also under a deeper one", () => {
  expect(
    filled("# Goal\n\nTo be fast.\n\n## Why\n\n# Scope\n\n## Out\n- nothing else\n# Empty\n"),
  ).toEqual(["goal", "out", "scope"]);
});

test("headings compare without case, numbers, emphasis, and closing signs", () => {
  expect(filled("## 2.1 **Known Risks**: ##\ntext")).toEqual(["known risks"]);
});

test("what a template leaves open is no text: comments, placeholders, TODO, empty items, rules", () => {
  expect(
    filled(
      "# A\n<!-- say why\n and what -->\n# B\n<what you did>\n# C\nTODO\n# D\n- [ ] \n- \n---\n# E\n| | |\n|---|---|\n# F\n- [x] done",
    ),
  ).toEqual(["f"]);
});

test("fenced code is text and holds no headings", () => {
  expect(filled("# A\n```sh\n# B\n```\n# C\n```\n\n```\n~~~\n# D\n")).toEqual(["a", "c"]);
});

test("text that is not under any heading fills none; a number sign that touches a word begins none", () => {
  expect(filled("words\n#5 is fixed\n")).toEqual([]);
});

test("an open comment hides the rest", () => {
  expect(filled("# A\n<!-- \ntext")).toEqual([]);
});

test.each<readonly [line: string, name: string | null]>([
  ["# A", "a"],
  ["###### A", "a"],
  ["####### A", null],
  ["   # A", "a"],
  ["    # A", null],
  ["#\tA", "a"],
  ["#A", null],
  ["x # A", null],
  ["# A #", "a"],
  ["# A\t##", "a"],
  ["# A ##  ", "a"],
  ["# A#", "a#"],
  ["# C# ##", "c#"],
  ["# ##", ""],
  ["#", ""],
])("the line %j begins the heading %j", (line, name) => {
  expect(filled(`${line}\ntext`)).toEqual(name === null ? [] : [name]);
});

test.each<readonly [text: string, name: string]>([
  ["Goal", "goal"],
  ["  Goal: ", "goal"],
  ["Goal :", "goal"],
  ["**Goal** _and_ `way`", "goal and way"],
  ["1 Goal", "goal"],
  ["1. Goal", "goal"],
  ["1) Goal", "goal"],
  ["1.2.3.4. Goal", "goal"],
  ["1.2.3.4.5 Goal", "1.2.3.4.5 goal"],
  ["123\tGoal", "goal"],
  ["1234 Goal", "1234 goal"],
  ["1Goal", "1goal"],
  ["Goal 1. and 2", "goal 1. and 2"],
  ["1.  Goal", "goal"],
  ["  1. Goal", "goal"],
  ["1.22.333 Goal", "goal"],
])("the heading %j compares as %j", (text, name) => expect(comparable(text)).toBe(name));

test.each<readonly [fills: boolean, line: string]>([
  [true, "word"],
  [true, "7"],
  [true, "ä"],
  [true, "- word"],
  [true, "> word"],
  [true, "12) word"],
  [true, "- [x] word"],
  [true, "| a | b |"],
  [true, "todo list"],
  [true, "<b>bold</b> words"],
  [true, "a <word>"],
  [true, "to-do"],
  [true, "t:bd"],
  [true, "see [x] TODO"],
  [true, "TODO [x]"],
  [true, "to - do"],
  [false, "  TODO"],
  [false, "\t- [ ]  TODO"],
  [false, "10. TODO"],
  [false, ""],
  [false, "---"],
  [false, "- "],
  [false, "1. [ ] "],
  [false, "* [X]"],
  [false, "| | |"],
  [false, "<what you did>"],
  [false, "- <what you did>."],
  [false, "TBD"],
  [false, "To do:"],
  [false, "+ fill in!"],
  [false, "…"],
  [false, "..."],
])("is text, %s: %j", (fills, line) => expect(filled(`# A\n${line}`)).toEqual(fills ? ["a"] : []));

test.each<readonly [what: string, text: string, names: readonly string[]]>([
  ["a fence is closed by as many signs, or more", "# A\n````\n```\n# B\n````\n# C\nx", ["a", "c"]],
  ["and not by others", "# A\n```\n~~~\n# B\nx", ["a"]],
  ["and may be indented by three blanks", "# A\n   ```\n# B\n   ```\n# C\nx", ["a", "c"]],
  ["and not by four", "# A\n    ```\n# B\nx", ["b"]],
  ["one tilde is none", "# A\n~ ~\n# B\nx", ["b"]],
  [
    "a comment at the beginning is none of it, nor are its headings",
    "<!--\n# B\nx -->\n# A\ny",
    ["a"],
  ],
  ["two signs are none", "# A\n``\n# B\nx", ["b"]],
  ["an empty fence is no text, and one with blanks is none", "# A\n```\n  \n```", []],
  ["a sign in a fence is text", "# A\n```\n-\n```", ["a"]],
  ["a heading ends those that are as deep or deeper", "# A\n## B\n### C\n## D\nx", ["a", "d"]],
  ["text on the line of a comment counts", "# A\n<!-- x -->y", ["a"]],
  ["and what stands in several comments does not", "# A\n<!-- x --><!-- y -->", []],
  ["the signs of a comment's beginning do not end it", "# A\n<!--> x -->", []],
])("%s", (_, text, names) => expect(filled(text)).toEqual(names));
