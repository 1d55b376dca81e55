import { closingReferences } from "@loopwork/core";
import { type Node, Parser } from "commonmark";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

/**
 * The product reads Markdown itself, in one pass and without a tree. Here the parser of the people who wrote CommonMark reads the same
 * texts, and both must agree on which words are the author's own.
 */
const scope = { owner: "octo", repo: "shop", defaultHost: "github.com" };
const hidden: ReadonlySet<string> = new Set(["block_quote", "link", "image", "code", "code_block", "html_inline", "html_block"]);

/** Numbers behind `fixes #` in text that the parser shows as the author's own. */
function byParser(node: Node): readonly number[] {
  if (hidden.has(node.type)) return [];
  const numbers: number[] = [];
  // The parser cuts text into several nodes at signs that might have meant something.
  let text = "";
  for (let child = node.firstChild; child !== null; child = child.next) {
    if (child.type === "text") text += child.literal ?? "";
    else {
      text += "\n";
      numbers.push(...byParser(child));
    }
  }
  return [...numbers, ...[...text.matchAll(/fixes #(\d)/g)].map(([, number]) => Number(number))].toSorted((a, b) => a - b);
}

function bothOf(text: string): { readonly ours: readonly number[]; readonly theirs: readonly number[] } {
  return { ours: closingReferences(text, scope), theirs: byParser(new Parser().parse(text)) };
}

/** Pieces of which any two make something that one of the readers may get wrong. None runs on into a keyword or a number. */
const pieces = ["WORD", "WORD", "WORD", " a ", " ", "\n", "\n", "\n\n", "\r\n", "`", "``", "```", "```\n", "~~~", "~~~\n", "> ", ">", "- ", "* ", "+ ", "\n1. ", "\n2) ", "    ", "   ", "  ", "\t", "\\", "# ", "---\n", "***", "[", "![", "](x)", "]", "(", "|", "- [ ] ", "===\n"];
const texts = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 14 }).map((parts) => {
  let words = 0;
  return parts.map((part) => (part !== "WORD" ? part : words < 9 ? `fixes #${(words += 1)}.` : " a ")).join("");
});

/** What makes lists, breaks, headings and fences, or only just not. */
const borders = [...pieces, "WORD", "\nWORD", "\n0. ", "\n9) ", "\n123456789. ", "\n1234567890. ", "\n1 ", "\n- ", "\n-", "\n* * *\n", "\n- - -\n", "\n_ _ _\n", "\n___\n", "\n**\n", "\n- -\n", "\n--\n", "\n=\n", "\n###### ", "\n####### ", "\n#", "\n##\n", "\n\t", "\n \t", "\n     ", "\n  > ", "\n    > ", "````\n", "\n~~~~\n", "\n   ```\n", "\n    ```\n", "``` x\n", "\n>```\n", "\n> \n", "\n\n\n", "\r"];
const borderTexts = fc.array(fc.constantFrom(...borders), { minLength: 2, maxLength: 10 }).map(numbered);

function numbered(parts: readonly string[]): string {
  let words = 0;
  return parts.map((part) => part.replace("WORD", () => (words < 9 ? `fixes #${(words += 1)}.` : " a "))).join("");
}

describe("P01, P12 an independent parser of Markdown", () => {
  it("agrees with the product on which references are the author's own words", () => {
    let [own, cut] = [0, 0];
    fc.assert(
      fc.property(texts, (text) => {
        const { ours, theirs } = bothOf(text);
        expect(ours, JSON.stringify(text)).toEqual(theirs);
        const all = text.match(/fixes #/g)?.length ?? 0;
        own += ours.length;
        cut += all - ours.length;
      }),
      { numRuns: 30_000 },
    );
    expect(own).toBeGreaterThan(3_000);
    expect(cut).toBeGreaterThan(3_000);
  });

  it("agrees with it at the borders of what makes a block", () => {
    fc.assert(
      fc.property(borderTexts, (text) => {
        const { ours, theirs } = bothOf(text);
        expect(ours, JSON.stringify(text)).toEqual(theirs);
      }),
      { numRuns: 30_000 },
    );
  });

  it("has written the table that core is tested with", async () => {
    const some = [...fc.sample(texts, { seed: 9, numRuns: 2_700 }), ...fc.sample(borderTexts, { seed: 9, numRuns: 2_700 })];
    const rows = [...new Set(some)].filter((text) => text.includes("fixes #")).map((text) => JSON.stringify([text, byParser(new Parser().parse(text))]));
    await expect(`${rows.join("\n")}\n`).toMatchFileSnapshot("../../../packages/core/test/control/commonmark.jsonl");
  });

  it("the check can fail: without looking at fences the two differ", () => {
    const naive = (text: string): readonly number[] => [...text.matchAll(/fixes #(\d)/g)].map(([, number]) => Number(number));
    const text = "```\nfixes #1\n```\nfixes #2";
    expect([naive(text), bothOf(text)]).toEqual([[1, 2], { ours: [2], theirs: [2] }]);
  });
});
