import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { plainText } from "../../src/text/comment-text.ts";
import { closingReferences } from "../../src/linking/closing-keywords.ts";

/**
 * Texts of pieces of Markdown, and which of the references in them a renderer shows as the author's
 * own words. `tooling/evals/test/markdown.long.test.ts` writes the table (`vitest run --project evals
 * -u`) and holds it to that renderer.
 */
const lines = readFileSync(new URL("rendered.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n");
const rows = lines.map((line): readonly [text: string, own: readonly number[]] => JSON.parse(line));
const scope = { owner: "octo", repo: "shop", defaultHost: "github.com" };

describe("P01, P12 what a renderer of Markdown shows as the author's own words", () => {
  it.each(Array.from({ length: Math.ceil(rows.length / 100) }, (_, n) => n * 100))(
    "rows from %i on",
    (first) => {
      const some = rows.slice(first, first + 100);
      expect(some.map(([text]) => [text, closingReferences(text, scope)])).toEqual(some);
    },
  );

  it.each(Array.from({ length: Math.ceil(rows.length / 100) }, (_, n) => n * 100))(
    "rows from %i on, of which all else is cut away",
    (first) => {
      const some = rows.slice(first, first + 100);
      expect(
        some.map(([text]) => [
          text,
          [...plainText(text).matchAll(/(?<!\w)fixes #(\d)/g)].map(([, number]) => Number(number)),
        ]),
      ).toEqual(some);
    },
  );

  it("are texts with and without hidden words", () => {
    const own = rows.reduce((sum, row) => sum + row[1].length, 0);
    const all = rows.reduce((sum, [text]) => sum + (text.match(/fixes #/g)?.length ?? 0), 0);
    expect([rows.length >= 1_000, own > 500, all - own > 500]).toEqual([true, true, true]);
  });
});
