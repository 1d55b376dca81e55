import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gap, plainText } from "../../src/text/comment-text.ts";
import { hiddenSpans } from "../../src/text/markdown/blocks.ts";
import { deepest } from "../../src/text/markdown/block-scan.ts";
import { countReads } from "./counting-text.ts";
import { cpuMs } from "../cpu-ms.ts";

/** Rows: what it is, the text, and whether `WORD` is the author's own plain text. */
const rows: readonly (readonly [name: string, text: string, own: boolean])[] = [
  ["plain", "WORD", true],
  ["second line", "hello\nWORD", true],
  ["CRLF", "hello\r\n\r\nWORD\r\n", true],
  ["heading", "## WORD", true],
  ["list item", "- WORD", true],
  ["nested list item", "- a\n  - b\n    - WORD", true],
  ["paragraph of a list item", "- a\n\n  WORD", true],
  ["paragraph of an ordered item, four columns in", "10. a\n\n    WORD", true],
  ["task list", "- [ ] WORD", true],
  ["table cell", "| a | b |\n|---|---|\n| WORD | c |", true],
  ["emphasis", "**WORD**", true],
  ["paragraph continued with four blanks", "some words\n    WORD", true],
  ["after a closed fence", "```\nx\n```\nWORD", true],
  ["after a fence with a longer end", "```\nx\n`````\nWORD", true],
  ["after a fence inside of a list that ended", "- ```\n  x\nWORD", true],
  ["after a quote and a blank line", "> quoted\n\nWORD", true],
  ["after a quoted heading", "> # quoted\nWORD", true],
  ["after a quoted fence", "> ```\n> x\nWORD", true],
  ["behind a comment on its line", "<!-- x --> WORD", true],
  ["before a comment", "WORD <!-- x -->", true],
  ["after a comment over lines", "<!--\n\nx\n\n-->\nWORD", true],
  ["after the shortest comments", "<!--> <!---> WORD", true],
  ["behind an open comment inside of a paragraph", "text <!-- never closed\n\nWORD", true],
  ["behind a single backtick", "it`s WORD", true],
  ["behind unequal backticks", "``x` WORD", true],
  ["behind escaped backticks", "\\`x WORD\\`", true],
  ["comparison signs", "1 < 2 WORD 3 > 2", true],
  ["generic type", "Vec<u8> WORD", true],
  ["after closed elements", "<code>x</code> <blockquote>y</blockquote> <pre>z</pre> WORD", true],
  ["inside of details", "<details>\n<summary>s</summary>\n\nWORD\n\n</details>", true],
  ["before a link inside of brackets, which then are none", "[WORD [x](y)](z)", true],
  ["angle brackets around words that make no tag", "please <fix #1 WORD>", true],
  ["brackets without a target", "[WORD]", true],
  ["behind a link", "[x](https://example.org) WORD", true],
  ["a stray closing tag", "</code> WORD", true],
  ["seven hashes", "####### WORD", true],
  ["tilde text", "~~ WORD ~~", true],
  ["ordered number that may not end a paragraph", "in the year\n1986. WORD", true],
  ["after an underlined heading inside of a quote", "> a\n> ===\nWORD", true],
  ["underlined", "WORD\n====", true],
  ["P01 indented code after an underlined heading", "Title\n===\n    WORD", false],
  ["P01 indented code after a heading underlined by one dash", "Title\n-\n    WORD", false],
  ["after an empty list item, on its next line", "- \n  WORD", true],
  ["P01 indented code behind a list item that two empty lines end", "2) \n\n\tWORD", false],
  ["an empty list item may not end a paragraph", "words\n+ \n\tWORD", true],
  [
    "P01 fence in a numbered item that follows on a list item's paragraph",
    "- a\n2) ```WORD\n",
    false,
  ],
  ["P01 fence", "```\nWORD\n```", false],
  ["P01 fence with a language", "```sh\nWORD\n```", false],
  ["P01 tilde fence", "~~~\nWORD\n~~~", false],
  ["P01 fence indented by three", "   ```\nWORD\n   ```", false],
  ["P01 fence that never ends", "```\nx\n\nWORD", false],
  ["P01 fence that a shorter one does not end", "````\n```\nWORD\n````", false],
  ["P01 fence that the other kind does not end", "```\n~~~\nWORD\n```", false],
  ["P01 fence inside of a list item", "- a\n  ```\n  WORD\n  ```", false],
  ["P01 fence directly in a list marker", "1. ```\n   WORD\n   ```", false],
  ["P01 fence with CRLF", "```\r\nWORD\r\n```\r\n", false],
  ["P01 info string", "```WORD\nx\n```", false],
  ["P01 indented code", "    WORD", false],
  ["P01 indented by a tab", "\tWORD", false],
  ["P01 indented by blanks and a tab", "  \tWORD", false],
  ["P01 indented code after a blank line", "text\n\n    WORD", false],
  ["P01 indented code after a heading", "# h\n    WORD", false],
  ["P01 indented code inside of a list item", "- a\n\n      WORD", false],
  ["P01 indented code behind a list marker", "-      WORD", false],
  ["P01 inline code", "`WORD`", false],
  ["P01 inline code of two backticks", "`` ` WORD ``", false],
  ["P01 inline code over two lines", "`a\nWORD`", false],
  ["P01 inline code with a backslash", "`\\` `WORD`", false],
  ["P01 quote", "> WORD", false],
  ["P01 quote without a blank", ">WORD", false],
  ["P01 quote indented by three", "   > WORD", false],
  ["P01 nested quote", "> > WORD", false],
  ["P01 quote inside of a list item", "- > WORD", false],
  ["P01 list inside of a quote", "> - WORD", false],
  ["P01 lazy continuation of a quote", "> quoted words that a mail client\nWORD", false],
  ["P01 lazy continuation of a nested quote", "> > quoted\nWORD", false],
  ["P01 mail reply", "On Monday somebody wrote:\n> WORD\n> bye", false],
  ["P01 comment", "<!-- WORD -->", false],
  ["P01 comment over lines", "a\n<!--\nWORD\n\nWORD\n-->\nb", false],
  ["P01 comment inside of a paragraph", "a <!-- WORD --> b", false],
  ["P01 comment over two lines of a paragraph", "a <!-- x\nWORD --> b", false],
  ["P01 comment that never ends", "<!--\nx\n\nWORD", false],
  ["P01 comment that holds a fence", "<!--\n```\n-->\n<!-- WORD -->\n", false],
  ["P01 link text", "[WORD](https://example.org)", false],
  ["P01 link title", '[x](https://example.org "WORD")', false],
  ["P01 link target with parentheses", "[WORD](https://example.org/a_(b))", false],
  ["P01 text of an image that holds a link", "![WORD [x](y)](z)", false],
  ["P01 image text", "![WORD](x.png)", false],
  ["P01 code inside of link text", "[`x` WORD](https://example.org)", false],
  ["P01 attribute", '<img alt="WORD" src="x">', false],
  ["P01 pre", "<pre>WORD</pre>", false],
  ["P01 pre over blank lines", "<pre>\na\n\nWORD\n</pre>", false],
  ["P01 pre in capitals with attributes", '<PRE lang="sh">\nWORD\n</PRE>', false],
  ["P01 code element", "a <code>WORD</code> b", false],
  ["P01 blockquote element", "<blockquote>\n\nWORD\n\n</blockquote>", false],
  [
    "P01 nested blockquote elements",
    "<blockquote><blockquote>a</blockquote>\n\nWORD\n\n</blockquote>",
    false,
  ],
  ["P01 element that is never closed", "<blockquote>\n\nWORD", false],
  ["P01 script", "<script>\n\nWORD\n</script>", false],
  ["P14 deeper than anybody writes", `${"> ".repeat(100)}WORD`, false],
  ["P14 as deep as is read", `\`x\`\n\n${"- ".repeat(deepest)}WORD`, true],
  ["P14 one deeper", `\`x\`\n\n${"- ".repeat(deepest + 1)}WORD`, false],
  ["P14 deeper than anybody writes, in lists", `${"- ".repeat(100)}> WORD`, false],
  [
    "P14 a lazy line behind a fence in too deep a nest",
    `${"- ".repeat(deepest + 1)}\`\`\`\nWORD`,
    false,
  ],
  ["P14 a lazy line behind too deep a nest", `${"- ".repeat(100)}> x\nWORD`, false],
];

describe("plainText", () => {
  it.each(rows)("%s", (_name, text, own) => {
    expect(plainText(text).includes("WORD")).toBe(own);
  });

  it.each(rows)("looks only where asked and says the same: %s", (_name, text, own) => {
    const at = text.lastIndexOf("WORD");
    const spans = hiddenSpans(text, [at]);
    let hidden = false;
    for (let i = 0; i < spans.length; i += 2)
      if (at >= (spans[i] ?? 0) && at < (spans[i + 1] ?? 0)) hidden = true;
    expect(hidden).toBe(!own);
  });

  it("keeps lines where they were and lets nothing join over a gap", () => {
    expect(plainText("a\n> b\nc `d` e\n```\nf\n```\ng")).toBe("a\n   \n       \n   \n \n   \ng");
    expect(plainText("loop `x` start")).toBe(`loop ${gap}${gap}${gap} start`);
    expect(plainText("a\n\n<!-- b -->\n\nc")).toBe("a\n\n          \n\nc");
  });

  it("returns a text without constructs as it is", () => {
    const text = "Just words, and (parentheses) & 100 % of them.\nTwo lines.";
    expect(plainText(text)).toBe(text);
  });

  it("P14 hides only spans, in order, that lie inside of the text", () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const spans = hiddenSpans(text, null);
        let last = -1;
        for (const edge of spans) {
          expect(edge).toBeGreaterThanOrEqual(last);
          last = edge;
        }
        expect(last).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 2000 },
    );
  });

  it("P14 says the same of one position as of the whole", () => {
    fc.assert(
      fc.property(markdown, fc.nat(), (text, seed) => {
        if (text.length === 0) return;
        const at = seed % text.length;
        expect(covers(hiddenSpans(text, [at]), at)).toBe(covers(hiddenSpans(text, null), at));
      }),
      { numRuns: 2000 },
    );
  });
});

describe("P14 the scanner reads a text a bounded number of times", () => {
  const hostile = [
    "<!--",
    "![",
    "[](",
    "[a](b (",
    " ",
    "`",
    "``` ",
    "`a``b",
    "> ",
    "- ",
    "- \n",
    "1. ",
    "* - ",
    "<a ",
    "<pre ",
    "<pre>\n",
    "</",
    "<",
    "\\",
    "\n",
    "\r\n",
    "\t",
    "#",
    "~~~\n",
    "> > >\n",
    "- a\n\n",
    "<!-- x\n",
    "<code>",
    "</code>",
    "](",
    "- - - - - - - - -x\n",
    "</pre ",
    "<script>\n\n",
    "~~a ",
    "$$",
    "<s>",
    "</s>",
    "<div>\n\n",
    "<a b='",
    "<a b=\"<a c='",
    ' b="<a c=\' " d=" \' e=\'"',
    "[a]: b\n",
    "\n[a]: b\n\n[a]",
    "[^a]: b\n\n",
    "[^a]",
    "[a][b]",
    "[[",
    "]]",
    "| a |\n|-|\n",
    "|",
    "<!X ",
    "<![CDATA[",
    "<?x ",
    "<a@",
    "<p hidden>",
    "> <s>\n",
  ];

  it.each(hostile.map((unit) => [JSON.stringify(unit), unit] as const))(
    "%s repeated",
    (_name, unit) => {
      const few = countReads(unit.repeat(Math.ceil(16_384 / unit.length)), (text) =>
        hiddenSpans(text, null),
      );
      const many = countReads(unit.repeat(Math.ceil(65_536 / unit.length)), (text) =>
        hiddenSpans(text, null),
      );
      expect(many / few).toBeLessThan(4.5);
      expect(many).toBeLessThan(65_536 * 80);
    },
  );

  it("a deep nest over many lines", () => {
    const nest = (size: number): string => `${"- ".repeat(size / 4)}\n${"\n".repeat(size / 2)}`;
    const few = countReads(nest(8_192), (text) => hiddenSpans(text, null));
    const many = countReads(nest(32_768), (text) => hiddenSpans(text, null));
    expect(many / few).toBeLessThan(4.5);
    // Matching containers on blank lines reads nothing, so that only time can tell: without a bound
    // this takes minutes.
    expect(cpuMs(() => hiddenSpans(nest(1_048_576), null))).toBeLessThan(10_000);
  });

  it("one long line of list markers, of which none is looked at as often as it is deep", () => {
    const length = 16_384;
    expect(
      countReads(`${"- ".repeat(length / 2)}x`, (text) => hiddenSpans(text, null)),
    ).toBeLessThan(length * 4);
  });

  it("any mixture of constructs", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...hostile), { minLength: 1, maxLength: 6 }),
        (units) => {
          const unit = units.join("");
          const few = countReads(unit.repeat(Math.ceil(8_192 / unit.length)), (text) =>
            hiddenSpans(text, null),
          );
          const many = countReads(unit.repeat(Math.ceil(32_768 / unit.length)), (text) =>
            hiddenSpans(text, null),
          );
          expect(many / few).toBeLessThan(5);
        },
      ),
      { numRuns: 300 },
    );
  });
});

const markdown: fc.Arbitrary<string> = fc
  .array(
    fc.constantFrom(
      "a",
      " ",
      "\n",
      "`",
      "``",
      "```",
      "~~~",
      ">",
      "> ",
      "- ",
      "1. ",
      "    ",
      "\t",
      "<!--",
      "-->",
      "<code>",
      "</code>",
      "<pre>",
      "</pre>",
      "[",
      "](",
      ")",
      "\\",
      "#",
      "# ",
      "---",
      "<blockquote>",
      "</blockquote>",
      "\r\n",
      "<a>",
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(""));

function covers(spans: readonly number[], at: number): boolean {
  for (let i = 0; i < spans.length; i += 2)
    if (at >= (spans[i] ?? 0) && at < (spans[i + 1] ?? 0)) return true;
  return false;
}
