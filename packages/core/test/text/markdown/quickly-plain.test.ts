import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hiddenSpans } from "../../../src/text/markdown/blocks.ts";
import { quicklyPlain } from "../../../src/text/markdown/quickly-plain.ts";

function plain(text: string, at: number): boolean {
  const spans = hiddenSpans(text, [at]);
  for (let i = 0; i < spans.length; i += 2)
    if (at >= (spans[i] ?? 0) && at < (spans[i + 1] ?? 0)) return false;
  return true;
}

const rows: readonly (readonly [text: string, answer: boolean | null])[] = [
  ["WORD", true],
  ["a\r\n\r\nWORD", true],
  ["a\nb\nWORD", true],
  ["## heading\n\n- WORD", true],
  ["> quoted\n\nWORD", true],
  ["```\nx\n```\n\nWORD", true],
  ["<!-- x\n\ny -->\n\nWORD", true],
  ["1 < 2\n\nWORD", true],
  ["```\nx\n\nWORD", false],
  ["````\n```\n\nWORD\n````", false],
  ["<!--\n\nWORD", false],
  ["<!--\n\nWORD\n\n-->", null],
  ["<!-- \n\nword-->WORD", null],
  ["> quoted\nWORD", null],
  ["a `b\nWORD` c", null],
  ["[WORD](x)", null],
  ["~~~\n\nWORD", null],
  ["- a\n  ```\n\nWORD", null],
  ["<details>\n\nWORD", null],
  ["# WORD", null],
  [`${"a".repeat(400)}WORD`, true],
  [`${"a".repeat(401)}WORD`, null],
  [`${"a\n".repeat(5)}WORD`, true],
  [`${"a\n".repeat(6)}WORD`, null],
  ["\nWORD", true],
  ["\r\nWORD", true],
  ["z WORD", true],
  ["{ WORD", null],
  ["* WORD", true],
  ["-xWORD", null],
  ["*WORD", null],
  ["- 1 WORD", null],
  ["1. WORD", null],
  ["a < b WORD", null],
  ["[a] WORD", null],
  ["\\a WORD", null],
  ["a \\b WORD", null],
  [`${"a\n\n".repeat(200)}WORD`, true],
  ["WORD `a` <b> [c](d)", true],
  ["WORD\n\n~~~\n```\n<b>", true],
  ["```sh\nx\n```\n\nWORD", true],
  ["```\r\nx\r\n```\r\n\r\nWORD", true],
  ["```\n```\n\nWORD", true],
  ["```\n<\n```\n\nWORD", true],
  ["```\nx\n````\n\n```\ny\n```\n\nWORD", true],
  ["< x\n\n```\ny\n```\n\n< z\n\nWORD", true],
  ["<!-- ``` -->\n\nWORD", true],
  ["<!-- x --> y\n\nWORD", true],
  ["<!-->\n\nWORD", true],
  ["<{\n\nWORD", true],
  ["```a`\n\nWORD", null],
  ["```\nx ```\n\nWORD", null],
  ["```\nx\n``` y\n\nWORD", null],
  ["a ```\n\nWORD", null],
  ["a <!-- x -->\n\nWORD", null],
  ["<z\n\nWORD", null],
  ["</b\n\nWORD", null],
  ["<!x\n\nWORD", null],
  ["<?x\n\nWORD", null],
  ["```\nx\n```WORD", null],
];

describe("quicklyPlain", () => {
  it.each(rows)("%j: %j", (text, answer) => {
    const at = text.indexOf("WORD");
    expect(quicklyPlain(text, at)).toBe(answer);
    if (answer !== null) expect(plain(text, at)).toBe(answer);
  });

  it("never says anything but what the whole scan says", () => {
    const parts = [
      "word",
      "WORD",
      " ",
      "\n",
      "\n\n",
      "\r\n",
      "`",
      "```",
      "```\n",
      "\n```\n",
      "~~~\n",
      "> ",
      "- ",
      "* ",
      "1. ",
      "    ",
      "<!--",
      "-->",
      "\n<!-- ",
      "<code>",
      "</code>",
      "<pre>\n",
      "< ",
      "[",
      "](",
      ")",
      "\\",
      "# ",
      "---\n",
      "--",
      "\t",
    ];
    let told = 0;
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 30 }),
        (chosen) => {
          const text = `${chosen.join("")}WORD`;
          for (let at = text.indexOf("WORD"); at !== -1; at = text.indexOf("WORD", at + 1)) {
            const answer = quicklyPlain(text, at);
            if (answer === null) continue;
            told += 1;
            expect(answer, JSON.stringify(text)).toBe(plain(text, at));
          }
        },
      ),
      { numRuns: 20_000 },
    );
    expect(told).toBeGreaterThan(1000);
  });
});
