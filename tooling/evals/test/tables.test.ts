import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type ClosingRow, closingOf, closingShape, evalClosing } from "../src/closing.ts";
import { evalKeywords, keywordShape } from "../src/keywords.ts";
import { readRows } from "../src/rows.ts";

const textOf = (name: string): string =>
  readFileSync(new URL(`../tables/${name}.jsonl`, import.meta.url), "utf8");
const closing = readRows(textOf("closing"), closingShape);
const keywords = readRows(textOf("keywords"), keywordShape);

describe("P12 our own table of closing references", () => {
  it("has at least 150 rows, of every construct", () => {
    expect(closing.rows.length).toBeGreaterThanOrEqual(150);
    const bases = new Set(closing.rows.map(({ basis }) => basis));
    for (const basis of [
      "documented",
      "fence",
      "indent",
      "inline code",
      "quote",
      "HTML comment",
      "pre",
      "list",
      "other repository",
      "several references",
    ])
      expect(bases).toContain(basis);
    expect(closing.notes).toEqual([]);
  });

  it("is read right, every row of it", () => {
    const { accuracy, wrong } = evalClosing(closing.rows);
    expect(wrong).toEqual([]);
    expect(accuracy).toMatchObject({ overall: 1, documented: 1 });
  });

  it("finds the issues in the order of the text, each once", () => {
    for (const row of closing.rows) expect(closingOf(row), row.id).toEqual(row.expected);
  });

  it("has teeth: a reader that knows the keywords alone gets much of it wrong", () => {
    const naive = (row: ClosingRow): string =>
      [...row.text.matchAll(/\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+#(\d{1,10})/gi)]
        .map(([, number]) => Number(number))
        .join();
    const right = closing.rows.filter((row) => naive(row) === row.expected.join());
    expect(right.length / closing.rows.length).toBeLessThan(0.7);
  });
});

describe("P01-P03, P05, P06 our own table of keywords", () => {
  it("has at least 150 rows, of every verb and kind", () => {
    expect(keywords.rows.length).toBeGreaterThanOrEqual(150);
    const kinds = new Set(
      keywords.rows.map(({ expected }) =>
        expected.kind === "command" ? expected.verb : expected.kind,
      ),
    );
    expect([...kinds].toSorted()).toEqual([
      "add-collaborator",
      "address-conflict",
      "ambiguous",
      "cleanup",
      "none",
      "pause",
      "remove-collaborator",
      "resume",
      "start",
      "stop",
    ]);
    expect(keywords.notes).toEqual([]);
  });

  it("is read right, every row of it", () => {
    expect(evalKeywords(keywords.rows)).toEqual({
      rows: keywords.rows.length,
      accuracy: 1,
      wrong: [],
    });
  });
});
