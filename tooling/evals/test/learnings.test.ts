import { readFileSync } from "node:fs";
import { classify } from "@loopwork/core/learnings";
import { expect, test } from "vitest";
import { interval95 } from "../src/learnings/bootstrap.ts";
import { caseShape, type LearningCase, ownCases } from "../src/learnings/cases.ts";
import { evalLearnings, judge } from "../src/learnings/evaluate.ts";
import { fit } from "../src/learnings/fit.ts";
import { crossValidate, toldOfFolds } from "../src/learnings/folds.ts";
import { readRows } from "../src/rows.ts";

const own = readRows(
  readFileSync(new URL("../tables/learnings.jsonl", import.meta.url), "utf8"),
  caseShape,
).rows;

test("our own table stays understood: it is part of what the weights were fitted on", () => {
  const { msPerCase, ...result } = evalLearnings(own, () => 0);
  expect(msPerCase).toBe(0);
  expect(result.cases).toBe(own.length);
  expect(result.accuracy).toBeGreaterThan(0.88);
  expect(result.wrongDelete).toBeLessThan(0.02);
  expect(result.dedupe.precision).toBeGreaterThan(0.9);
});

const domains = readRows(
  readFileSync(new URL("../tables/learnings-domains.jsonl", import.meta.url), "utf8"),
  caseShape,
).rows;

test(
  "what was learned of one table is understood in twelve domains that it never saw",
  { timeout: 120_000 },
  () => {
    const weights = fit(own);
    const { accuracy, wrongDelete, dedupe, abstain } = judge(
      domains.map((of) => ({ of, got: classify(of.text, of.index, weights) })),
    );
    expect(new Set(domains.map(({ source }) => source)).size).toBe(12);
    expect(accuracy).toBeGreaterThan(0.85);
    expect(wrongDelete).toBeLessThanOrEqual(0.02);
    expect(dedupe.precision).toBeGreaterThan(0.8);
    expect(dedupe.recall).toBeGreaterThan(0.6);
    expect(abstain.accuracy).toBeGreaterThan(0.9);
    expect(abstain.coverage).toBeGreaterThan(0.6);
  },
);

test("rules of seven domains that no weights were fitted on are understood, and few of them end by mistake", () => {
  const unseen = readRows(
    readFileSync(new URL("../tables/learnings-unseen.jsonl", import.meta.url), "utf8"),
    caseShape,
  ).rows;
  expect(ownCases().some(({ source }) => unseen.some((each) => each.source === source))).toBe(
    false,
  );
  const { accuracy, wrongDelete, dedupe, abstain } = evalLearnings(unseen, () => 0);
  expect(accuracy).toBeGreaterThan(0.78);
  expect(wrongDelete).toBeLessThanOrEqual(0.02);
  expect(dedupe.precision).toBeGreaterThan(0.75);
  expect(dedupe.recall).toBeGreaterThan(0.6);
  expect(abstain.accuracy).toBeGreaterThan(0.85);
});

test("folds are told of tables with several sources, each judged by weights that never saw it", () => {
  expect(toldOfFolds(own, [])).toEqual([]);
  const some = domains.filter(({ source }) => source === "other/docs" || source === "other/shop");
  const [told] = toldOfFolds(some, [...some, ...own]);
  expect(told).toContain("each of 2 in turn");
  expect(told).toContain(`accuracy ${crossValidate(some, own).accuracy.toFixed(3)}`);
});

const one = (
  expected: LearningCase["expected"],
  target: string | null,
  got: LearningCase["expected"],
  of: string | null,
  needsReview = false,
): Parameters<typeof judge>[0][number] => ({
  of: { id: "x", index: [], text: "", expected, target, source: "" },
  got: { op: got, target: of, needsReview },
});

test("an operation is right with its target alone; UPDATE, and DELETE with what replaces it, end alike", () => {
  const result = judge([
    one("UPDATE", "1", "UPDATE", "1"),
    one("UPDATE", "1", "UPDATE", "2"),
    one("ADD", null, "NOOP", "1"),
    one("DELETE", "1", "UPDATE", "1"),
    one("NOOP", "1", "DELETE", "1", true),
  ]);
  expect(result).toMatchObject({
    cases: 5,
    accuracy: 0.2,
    endState: 0.4,
    dedupe: { precision: 0, recall: 0 },
    wrongDelete: 0.25,
    lostFacts: 0.25,
    abstain: { coverage: 0.8, accuracy: 0.25 },
  });
});

test("the interval holds the mean, is the same each time, and is a point where all are alike", () => {
  const values = Array.from({ length: 100 }, (_, at) => (at % 4 === 0 ? 0 : 1));
  const [low, high] = interval95(values);
  expect(low).toBeLessThan(0.75);
  expect(high).toBeGreaterThan(0.75);
  expect(interval95(values)).toEqual([low, high]);
  expect(interval95([1, 1, 1])).toEqual([1, 1]);
});

test("the same cases give the same weights, and other cases others", () => {
  const some = own.filter((_, at) => at % 9 === 0);
  expect(fit(some)).toEqual(fit(some));
  expect(fit(some)).not.toEqual(fit(own.filter((_, at) => at % 9 === 1)));
});

test("a line that is no case says what is wrong with it", () => {
  const line = (change: object): string =>
    JSON.stringify({
      id: "a",
      index: [{ id: "1", text: "x" }],
      candidate: { text: "y" },
      expected: "UPDATE",
      target: "1",
      source: "s",
      kind: "value",
      ...change,
    });
  expect(readRows(line({}), caseShape).rows).toHaveLength(1);
  for (const change of [
    { id: "" },
    { index: {} },
    { index: [{ id: 1 }] },
    { candidate: "y" },
    { expected: "MERGE" },
    { target: "2" },
  ])
    expect(() => readRows(line(change), caseShape), JSON.stringify(change)).toThrow("no row");
});
