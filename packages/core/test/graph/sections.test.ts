import { expect, test } from "vitest";
import { filledHeadings } from "../../src/graph.ts";

const filled = (text: string): readonly string[] => [...filledHeadings(text)].toSorted();

test("a heading is filled by text under it, also under a deeper one", () => {
  expect(filled("# Goal\n\nTo be fast.\n\n## Why\n\n# Scope\n\n## Out\n- nothing else\n# Empty\n")).toEqual(["goal", "out", "scope"]);
});

test("headings compare without case, numbers, emphasis, and closing signs", () => {
  expect(filled("## 2.1 **Known Risks**: ##\ntext")).toEqual(["known risks"]);
});

test("what a template leaves open is no text: comments, placeholders, TODO, empty items, rules", () => {
  expect(filled("# A\n<!-- say why\n and what -->\n# B\n<what you did>\n# C\nTODO\n# D\n- [ ] \n- \n---\n# E\n| | |\n|---|---|\n# F\n- [x] done")).toEqual(["f"]);
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
