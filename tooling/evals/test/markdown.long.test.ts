import { closingReferences } from "@loopwork/core/keywords";
import { describe, expect, it } from "vitest";
import { compare, explain } from "../src/markdown/compare.ts";
import { createRandom, makeDocument } from "../src/markdown/documents.ts";
import { fuzzMarkdown } from "../src/markdown/fuzz.ts";
import { visibleWords } from "../src/markdown/renderer.ts";

/**
 * The product reads Markdown itself, in one pass and without a tree. Here a renderer makes a page
 * of the same texts, and both must agree on which words are the author's own. `npm run
 * fuzz:markdown` does the same with 100,000 documents.
 */
const scope = { owner: "octo", repo: "shop", defaultHost: "github.com" };

describe("what a renderer of Markdown shows", () => {
  it.each([1, 2, 3, 4])("is what the product reads, on 500 documents of seed %i", (seed) => {
    const { unexplained, shown } = fuzzMarkdown({ documents: 500, seed });
    expect(unexplained).toEqual([]);
    expect(shown).toBeGreaterThan(1_000);
  });

  it("is never less than what the product acts on", () => {
    const random = createRandom(5);
    const documents = Array.from({ length: 1_000 }, () => makeDocument(random));
    expect(
      documents.filter(
        (text) => compare(text).acts.length > 0 && explain(text, compare(text)) === "nothing",
      ),
    ).toEqual([]);
  });

  it("is the table that core is tested with", async () => {
    const random = createRandom(9);
    const documents = [
      ...new Set(Array.from({ length: 1_800 }, () => makeDocument(random))),
    ].filter((text) => text.includes("fixes #"));
    const rows = documents.flatMap((text) => {
      const { acts, silent } = compare(text);
      const shown = [...visibleWords(text).matchAll(/(?<!\w)fixes #([1-9])\./g)].map(([, number]) =>
        Number(number),
      );
      return acts.length + silent.length > 0
        ? []
        : [JSON.stringify([text, shown.toSorted((a, b) => a - b)])];
    });
    await expect(`${rows.join("\n")}\n`).toMatchFileSnapshot(
      "../../../packages/core/test/text/rendered.jsonl",
    );
  });

  it("differs from what is read without looking at code, quotes and definitions", () => {
    const naive = (text: string): readonly number[] =>
      [...text.matchAll(/fixes #(\d)/g)].map(([, number]) => Number(number));
    const text = "```\nfixes #1.\n```\n> fixes #2.\n\n[k]: x 'fixes #3.'\n\nfixes #4.";
    expect([naive(text), closingReferences(text, scope), compare(text)]).toEqual([
      [1, 2, 3, 4],
      [4],
      { shown: 1, acts: [], silent: [] },
    ]);
  });
});
