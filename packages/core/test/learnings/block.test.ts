import { describe, expect, test } from "vitest";
import { type BlockFile, formatBlock, hasBlock, parseBlock } from "../../src/learnings/block.ts";

const start = "<!-- loop:learnings v1; managed block, edit text freely, keep ids -->";
const end = "<!-- /loop:learnings -->";
const file: BlockFile = {
  before: "# Learnings\n\nOf ours.\n",
  sections: [
    {
      category: "testing",
      lines: [
        { id: 17, text: "Run the tests twice" },
        { id: 3, text: "Run the linter once" },
      ],
      more: 12,
    },
    { category: "code-style", lines: [], more: 1 },
    { category: "build", lines: [{ id: 1234, text: "Build before the tests" }], more: 0 },
  ],
  after: "behind\n\nand more",
};
const text = [
  "# Learnings",
  "",
  "Of ours.",
  start,
  "## testing",
  "- [017] Run the tests twice",
  "- [003] Run the linter once",
  "- more: topics/testing.md (12)",
  "## code-style",
  "- more: topics/code-style.md (1)",
  "## build",
  "- [1234] Build before the tests",
  end,
  "behind",
  "",
  "and more",
].join("\n");

test("a managed block is written with a heading for each category, and with what leads to its topic", () => {
  expect(formatBlock(file)).toBe(text);
});

test.each([
  ["as it was written", text],
  [
    "with blanks at the ends of its lines",
    text.replaceAll(/^(.*)$/gmu, (line) =>
      line.startsWith("Of") ||
      line.startsWith("behind") ||
      line.startsWith("and") ||
      line.startsWith("# ") ||
      line === ""
        ? line
        : `${line}  `,
    ),
  ],
  [
    "with empty lines in it",
    text.replace("## build", "\n## build").replace("## testing", "\n   \n## testing"),
  ],
])("a block is read %s", (_what, written) => {
  expect(parseBlock(written)).toEqual({ ok: true, file });
});

test.each([
  ["nothing", "", ""],
  ["a text that ends its line", "words\n", "words\n"],
  ["a text that does not", "words", "words\n"],
  ["a text that begins with an empty line", "\nwords", "\nwords\n"],
])("without a block, %s is what stands before one", (_what, written, before) => {
  expect(parseBlock(written)).toEqual({ ok: true, file: { before, sections: [], after: "" } });
});

describe("whether a text has a block", () => {
  test.each([
    ["a whole one", text, true],
    ["one of another version", "words\n<!-- loop:learnings v9 -->\n", true],
    ["its end alone", `words\n${end}  \nmore`, true],
    ["its beginning inside of a line", `words ${start}`, false],
    ["its end inside of a line", `words ${end}`, false],
    ["none", "words\n", false],
  ])("%s", (_what, written, expected) => {
    expect(hasBlock(written)).toBe(expected);
  });
});

const among =
  "architecture, build, ci, code-style, data, dependencies, docs, git, process, release, security, testing, tools, general";
const inBlock = (...lines: readonly string[]): string => [start, ...lines, end].join("\n");
const noLine = "a line of the block is `- [nnn] text`; write your own words outside of it";

describe("a block that does not follow the grammar is refused, with its line and what is wrong", () => {
  test.each([
    ["two beginnings", `${start}\n${start}\n${end}`, 2, "the managed block begins or ends twice"],
    ["two ends", `${start}\n${end}\nwords\n${end}`, 4, "the managed block begins or ends twice"],
    [
      "a beginning alone",
      `words\n${start}`,
      2,
      "the managed block has a beginning or an end alone",
    ],
    ["an end alone", `words\n\n${end}`, 3, "the managed block has a beginning or an end alone"],
    [
      "an end that is set in",
      `${start}\n  ${end}`,
      1,
      "the managed block has a beginning or an end alone",
    ],
    [
      "an end before the beginning",
      `words\n${end}\n${start}`,
      3,
      "the managed block has a beginning or an end alone",
    ],
    [
      "another version",
      `words\n<!-- loop:learnings v2 -->\n${end}`,
      2,
      "the managed block is of another version",
    ],
    ["a category of its own", inBlock("## Tests"), 2, `"Tests" is no category; there are ${among}`],
    [
      "a long category of its own",
      inBlock(`## ${"x".repeat(90)}`),
      2,
      `"${"x".repeat(57)}" is no category; there are ${among}`,
    ],
    [
      "a category twice",
      inBlock("## git", "## build", "## git"),
      4,
      "the category git stands twice",
    ],
    [
      "a line before the first category",
      inBlock("- [001] Run the tests twice"),
      2,
      "a learning stands before the first category",
    ],
    [
      "an id twice",
      inBlock("## git", "- [001] Run the tests twice", "## build", "- [001] Run the linter once"),
      5,
      "the id 001 stands twice",
    ],
    ["an id of nothing", inBlock("## git", "- [000] Run the tests twice"), 3, "ids start at 001"],
    [
      "a pointer to another topic",
      inBlock("## git", "- more: topics/build.md (3)"),
      3,
      "this leads to the topic of another category than git",
    ],
    ["words before a pointer", inBlock("## git", "a- more: topics/git.md (3)"), 3, noLine],
    ["words behind a pointer", inBlock("## git", "- more: topics/git.md (3) or so"), 3, noLine],
    ["words before a line", inBlock("## git", "a- [001] Run the tests twice"), 3, noLine],
    ["words without an id", inBlock("## git", "Run the tests twice"), 3, noLine],
    ["a line that is set in", inBlock("## git", "  - [001] Run the tests twice"), 3, noLine],
    [
      "a line that is too long",
      inBlock("## git", `- [001] ${"x".repeat(161)}`),
      3,
      "a learning has at most 160 characters, and this has 161",
    ],
    ["a line that is much too long", inBlock("## git", `- [001] ${"x".repeat(401)}`), 3, noLine],
  ])("%s", (_what, written, line, problem) => {
    expect(parseBlock(written)).toEqual({ ok: false, line, problem });
  });
});
