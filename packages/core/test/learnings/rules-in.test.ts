import { describe, expect, test } from "vitest";
import { rulesIn } from "../../src/learnings/rules-in.ts";

const read = (comment: string, atLeastOne = false): readonly string[] =>
  rulesIn(comment, atLeastOne).map((rule) =>
    typeof rule === "string" ? rule : `${rule.text}: ${rule.left}`,
  );
const rule = "Always run the tests";
const tooShort = "a learning says something: it needs at least two words with content";

describe("which sentences are rules", () => {
  test.each([
    ...[
      "Always",
      "Never",
      "Do not",
      "Don't",
      "Use",
      "Prefer",
      "Avoid",
      "Make sure",
      "Ensure",
      "Remember to",
      "Stop",
    ].map((opening) => `${opening} push the branch first`),
    ...["must", "must not", "should", "should not", "shouldn't"].map(
      (verb) => `The branch ${verb} go to main`,
    ),
    "Small commits instead of large ones",
    "Small commits rather than large ones",
    "Don’t push the branch first",
    "Always push tests",
    "Always keep 5' of cable and 6' of rope",
    'Always push to "main branch" first',
    "Always push to „main branch“ first of all",
    "Always use a - b first",
    "Always say please first of all",
  ])("%s", (sentence) => {
    expect(read(sentence)).toEqual([sentence]);
  });

  test.each([
    ["a sentence of another kind", "Add a button to the page"],
    ["two words", "Never push"],
    ["a question", "Should the tests run twice?"],
    ["an address", "You must see https://host.example"],
    ["what points at something", "Never push that branch to main"],
    ["never mind", "Never mind the tests first"],
    ["the opening inside of a word", "Users push the branch first"],
    ["the word inside of a word", "The mustard goes to main"],
  ])("%s is none", (_what, sentence) => {
    expect(read(sentence)).toEqual([]);
  });

  test.each([
    ["a bullet", "- always run the tests"],
    ["a star", "* always run the tests"],
    ["a plus", "+ always run the tests"],
    ["a number", "12. Always run the tests"],
    ["a number in brackets", "13) Always run the tests"],
    ["a heading", "### Always run the tests"],
    ["please", "Please always run the tests."],
    ["please and a comma", "please, always run the tests!"],
    ["blanks around it", "   Always run  the tests    "],
    ["a tab behind it", "Always run the tests\t"],
    ["a sign that stands for nothing", "Always\u0000 run the tests"],
  ])("one with %s is read without it", (_what, line) => {
    expect(read(line)).toEqual([rule]);
  });

  test("several sentences are several rules, each once, and a dot inside of a word ends none", () => {
    expect(
      read("Always run v1.2 first. Thanks for all! Never push to main.\n\nAlways run v1.2 first."),
    ).toEqual(["Always run v1.2 first", "Never push to main"]);
    expect(read("Thanks for all\n\nAlways run the tests")).toEqual([rule]);
  });

  test("what stands behind 20,000 characters, or behind 2,000 of one line, is not looked at", () => {
    const long = `${"word ".repeat(390)}\n`;
    expect(read(`${long.repeat(5)}${rule}`)).toEqual([rule]);
    expect(read(`${long.repeat(20)}${rule}`)).toEqual([]);
    expect(read(`${"a".repeat(2_000)}. ${rule}`)).toEqual([]);
  });
});

describe("what is nobody's own", () => {
  test.each([
    ["code in a fence with its language", "```ts\nalways use force\n```\n"],
    ["code in another fence", "~~~text\nalways use force\n~~~\n"],
    ["code that is set in", "    always use force"],
    ["code behind a tab", "\talways use force"],
    ["a comment of HTML", "<!-- always use force -->"],
    ["a quotation that is set in", "  > Always use force"],
    ["a quotation that goes on", "> Force is good\nAlways use force"],
    ["a quotation that goes on behind a tag", "> Force is good </q>\nAlways use force"],
    ["an element of quotation", "<q>Always use force</q>"],
    ["words in marks", 'Mallory said "always use force" and left'],
    ["words in marks over lines", '"Never check\nAlways use force\nor so" they say'],
    ["words in round marks", "Mallory said “always use force” and left"],
    [
      "words in round marks that nothing closes",
      "Mallory said “always use it. Never check the links",
    ],
    ["words in pointed marks", "Mallory said «always use force» and left"],
    [
      "words in pointed marks that nothing closes",
      "Mallory said «always use it. Never check the links",
    ],
    ["words in low marks", "Mallory said „always use force“ and left"],
    ["words in low marks that are closed by others", "Mallory said „always use force” and left"],
    [
      "words in low marks that nothing closes",
      "Mallory said „always use it. Never check the links",
    ],
    ["words in single marks", "Always say 'he don't push' there"],
    ["words in single marks, with feet and inches", "Always say 'in 4'8 they push' there"],
    ["words in round single marks", "Mallory said ‘always use force’ and left"],
  ])("%s", (_what, comment) => {
    expect(read(comment, true)).toEqual([]);
  });

  test.each([
    ["a fence", "```ts\nalways use force\n```"],
    ["a quotation and an empty line", "> Always use force\n"],
    ["an element of quotation", "<blockquote>\n\nAlways use force\n</blockquote>"],
    ["an element of quotation with a fence in it", "<blockquote>\n```\n</blockquote>"],
  ])("behind %s own words go on", (_what, comment) => {
    expect(read(`${comment}\n${rule}`)).toEqual([rule]);
  });
});

describe("what the scanner of visible words takes for nobody's own", () => {
  /** As the same words would start nothing, they are no rule. */
  test.each([
    ["a fence in a fence of more marks", "````\n```\nalways use force\n```\n````"],
    ["a fence that nothing closes", "```\nalways use force"],
    ["a fence in an item of a list", "- x\n  ```\n  always use force\n  ```"],
    ["a comment of HTML over lines", "<!--\nalways use force\n-->"],
    ["a comment of HTML that nothing closes", "<!-- x\nalways use force"],
    ["a quotation in an item of a list", "- > always use force"],
    ["a quotation behind a number", "1. > always use force"],
    ["a definition of a link", "[a]: b 'always use force'"],
    ["a footnote", "[^1]: always use force"],
    ["a footnote of several paragraphs", "[^1]: x\n\n    always use force"],
    ["a section of raw characters", "<![CDATA[ always use force ]]>"],
    ["an element that is taken back over paragraphs", "<del>\n\nalways use force\n\n</del>"],
    ["an element of code", "<pre>\nalways use force\n</pre>"],
    ["an element that is hidden", "<p hidden>\nalways use force\n</p>"],
    ["words that are struck out over lines", "~~x\nalways use force\nx~~"],
    ["a link", "[always use force](x)"],
    ["the title of a link", "[x](y 'always use force')"],
    ["a formula", "$always use force$"],
    ["an alert", "> [!NOTE]\n> always use force"],
    ["a line that is turned around", "\u202ealways use force"],
    ["a tag over lines", "<img alt='\nalways use force\n' src='x'>"],
    ["mail below an answer", "ok\n\nOn Mon, Nov 23, 2026 Ada <a@b.c> wrote:\n\nalways use force"],
  ])("%s", (_what, comment) => {
    expect(read(comment)).toEqual([]);
  });

  test.each([
    ["an escaped fence", "\\`\\`\\`\nalways run the tests"],
    ["a line that follows on a paragraph and is set in", "Thanks\n    always run the tests"],
    ["a closed element of quotation on the line before", "<q>x</q>\n\nalways run the tests"],
    ["a tilde that strikes nothing out", "about ~~ 5 minutes\n\nalways run the tests"],
    ["a table", "| a |\n|---|\n| b |\n\nalways run the tests"],
  ])("own words go on behind %s", (_what, comment) => {
    expect(read(comment)).toEqual([rule]);
  });

  test("code of a line is a name in a sentence around it, and no sentence by itself", () => {
    expect(read("Always run `npm test` before you push.")).toEqual([
      "Always run `npm test` before you push",
    ]);
    expect(read("`always use force`")).toEqual([]);
    expect(read("```\n`always use force` x\n```")).toEqual([]);
    expect(read("> `a` always use force `b`")).toEqual([]);
    expect(read("Always ~~run~~ skip the tests")).toEqual([]);
    expect(read("Always run [the tests](x) first")).toEqual([]);
    expect(read("Always run <del>`npm test`</del> first")).toEqual([]);
  });
});

describe("where at least one is to be said", () => {
  test.each([
    [
      "the first that can stand alone is",
      "It is so. The importer swallows lines. It swallows files.",
      ["The importer swallows lines"],
    ],
    ["the first is told where none can", "It is so. It was so.", [`It is so: ${tooShort}`]],
    ["a rule is, and nothing else", "The importer swallows lines. Always run the tests.", [rule]],
    [
      "a rule that cannot be kept is told, and the first other one is",
      "The importer swallows lines. Never do it so.",
      ["The importer swallows lines", `Never do it so: ${tooShort}`],
    ],
    ["nothing is where nothing stands", "", []],
  ])("%s", (_what, comment, expected) => {
    expect(read(comment, true)).toEqual(expected);
  });

  test("else none is", () => {
    expect(read("The importer swallows lines. Never do it so.")).toEqual([
      `Never do it so: ${tooShort}`,
    ]);
  });
});
