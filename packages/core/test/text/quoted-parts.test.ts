import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readMarkdown } from "../../src/text/markdown/blocks.ts";
import { withLineFeeds } from "../../src/text/own-words.ts";
import { partsOf } from "../../src/text/quoted-parts.ts";

const shown = (body: string): readonly string[] =>
  partsOf(body).map(({ text, isQuoted }) => `${isQuoted ? "quoted" : "own"}: ${text.trim()}`);
const wrote = "On Mon, Mar 2, 2026 at 9:00 AM Mallory <m@example.net> wrote:";

describe("the pieces of a comment", () => {
  test.each<[string, string, readonly string[]]>([
    ["without a quote are one", "Mind the hose.\n\n", ["own: Mind the hose."]],
    ["without words are none", "", []],
    ["part a quote from the answer to it", "> a\n> b\n\nYes.", ["quoted: > a\n> b", "own: Yes."]],
    ["take a quote to go on to a blank line", "> a\nb\n\nYes.", ["quoted: > a\nb", "own: Yes."]],
    [
      "part the mail below an answer",
      `Yes.\n\n${wrote}\n\nMail it.`,
      ["own: Yes.", `quoted: ${wrote}\n\nMail it.`],
    ],
    [
      "part marked mail from answers in it",
      `${wrote}\n> Mail it.\n\nNo.\n\n> And go.\n\nNo.`,
      [`quoted: ${wrote}\n> Mail it.`, "own: No.", "quoted: > And go.", "own: No."],
    ],
    [
      "part Outlook's mail",
      "Yes.\n\n-----Original Message-----\nFrom: Mallory\nMail it.",
      ["own: Yes.", "quoted: -----Original Message-----\nFrom: Mallory\nMail it."],
    ],
    ["leave code alone", "```\n> a\n```\nYes.", ["own: ```\n> a\n```\nYes."]],
    ["take code in a quote for a quote", "> ```\n> a\n\nYes.", ["quoted: > ```\n> a", "own: Yes."]],
    [
      "part a quote that is an element",
      "<blockquote>\n\na\n\n</blockquote>\n\nYes.",
      ["quoted: <blockquote>\n\na\n\n</blockquote>", "own: Yes."],
    ],
    ["part a quote in a list", "1. > a\n\n   No.", ["quoted: 1. > a", "own: No."]],
    ["part a quote in a list without numbers", "- > a\n\nNo.", ["quoted: - > a", "own: No."]],
    ["part a quote behind a tab", "* \t> a\n\nNo.", ["quoted: * \t> a", "own: No."]],
    ["part a quote below a list item", "- No.\n\n    > a", ["own: - No.", "quoted: > a"]],
    ["leave code below a list item alone", "- No.\n\n      > a", ["own: - No.\n\n      > a"]],
    ["end a fence with its list item", "- No.\n  ```\n> a", ["own: - No.\n  ```", "quoted: > a"]],
    ["open no fence by backquotes apart", "```a`b\n> a", ["own: ```a`b", "quoted: > a"]],
    [
      "end lines by carriage returns alone",
      "No.\r> a\r\rNo.",
      ["own: No.", "quoted: > a", "own: No."],
    ],
    [
      "part an element in an element",
      "<div><blockquote>\na\n</blockquote></div>",
      ["own: <div>", "quoted: <blockquote>\na\n</blockquote>", "own: </div>"],
    ],
    [
      "part an element on a line",
      "No, <blockquote>a</blockquote> no.",
      ["own: No,", "quoted: <blockquote>a</blockquote>", "own: no."],
    ],
    [
      "part a quotation on a line",
      "No, <q>a</q> no.",
      ["own: No,", "quoted: <q>a</q>", "own: no."],
    ],
    [
      "part two elements that follow each other",
      "<blockquote>a</blockquote> <blockquote>\na\n</blockquote>\nNo.",
      ["quoted: <blockquote>a</blockquote> <blockquote>\na\n</blockquote>", "own: No."],
    ],
    [
      "part elements in each other up to the last end",
      "<blockquote>a <blockquote>b</blockquote> c</blockquote>\nNo.",
      ["quoted: <blockquote>a <blockquote>b</blockquote> c</blockquote>", "own: No."],
    ],
    [
      "part an element that nothing ends from all behind it",
      "No.\n\n<blockquote>\na\n\nb",
      ["own: No.", "quoted: <blockquote>\na\n\nb"],
    ],
    [
      "part marked lines from the HTML around them",
      "<details>\n> a\n</details>\n\nNo.",
      ["own: <details>", "quoted: > a", "own: </details>\n\nNo."],
    ],
    [
      "trust nothing behind HTML that breaks off before an element",
      'No.\n\n<div x="\n\n<blockquote>a\n\nb',
      ["own: No.", 'quoted: <div x="\n\n<blockquote>a\n\nb'],
    ],
    ["leave HTML alone that breaks off", '<div x="\n\n<b>No.</b>', ['own: <div x="\n\n<b>No.</b>']],
    ["end a quote at a list", "> a\n1. Do that.", ["quoted: > a", "own: 1. Do that."]],
    ["end a quote at a list without numbers", "> a\n- Do it.", ["quoted: > a", "own: - Do it."]],
    ["end a quote at a heading", "> a\n# Do that.", ["quoted: > a", "own: # Do that."]],
    ["end a quote at a fence", "> a\n```\nb\n```", ["quoted: > a", "own: ```\nb\n```"]],
    ["end lines as mail does", "> a\r\n\r\nYes.\r\n", ["quoted: > a", "own: Yes."]],
  ])("%s", (_, body, parts) => {
    expect(shown(body)).toEqual(parts);
  });

  test("are the whole comment, and own and quoted by turns", () => {
    const piece = fc.constantFrom(
      "> ",
      "\n",
      "\r\n",
      "words ",
      "```",
      "<blockquote>",
      "</blockquote>",
      `${wrote}\n`,
      "-- \n",
      "    ",
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 20 }).map((all) => all.join("")),
        (body) => {
          const parts = partsOf(body);
          expect(parts.map(({ text }) => text).join("")).toBe(body);
          for (const [i, part] of parts.entries())
            expect(part.isQuoted).not.toBe(parts[i - 1]?.isQuoted);
        },
      ),
    );
  });

  test("are quoted just where the reader of Markdown finds a quote, blanks aside", () => {
    const marks = ["> ", ">", "- ", "1. ", "# ", "```", "~~~", "`", "[^1]: ", "|a|b|\n|-|-|\n"];
    const blanks = ["    ", "  ", "\t", "\n", "\n\n", "\r", "\r\n"];
    const elements = ["<blockquote>", "</blockquote>", "<q>", "</q>", "<div>", "</div>"];
    const tags = [...elements, "<pre>", "<!--", "-->", "<b "];
    const piece = fc.constantFrom(...marks, ...blanks, ...tags, "words ");
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 24 }).map((all) => all.join("")),
        (body) => {
          const { quotes } = readMarkdown(withLineFeeds(body), null);
          const isQuote = (at: number): boolean =>
            quotes.some((start, i) => i % 2 === 0 && start <= at && at < (quotes[i + 1] ?? 0));
          let at = 0;
          for (const { text, isQuoted } of partsOf(body)) {
            for (const character of text) {
              if (character.trim() !== "") expect([at, isQuote(at)]).toEqual([at, isQuoted]);
              at += 1;
            }
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test("of long texts are read to their end: a quadratic reader would need minutes", () => {
    const elements = ["<blockquote>", "<q>a</q>", "<div>\n> a\n", "> <b ", "<b <q \n\n"];
    const texts = [...elements, "> a\n", "> a\n\nb\n\n", "- > ", " \r", "\n> "];
    for (const text of texts) {
      const long = text.repeat(200_000 / text.length);
      expect(
        partsOf(long)
          .map((part) => part.text)
          .join(""),
      ).toBe(long);
    }
  });
});
