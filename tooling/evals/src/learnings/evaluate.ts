import { type Classification, classify, operations } from "@loopwork/core/learnings";
import { share } from "../share.ts";
import { interval95 } from "./bootstrap.ts";
import type { LearningCase } from "./cases.ts";

export type LearningsResult = {
  readonly cases: number;
  readonly accuracy: number;
  readonly accuracyInterval95: readonly [number, number];
  readonly macroF1: number;
  readonly dedupe: { readonly precision: number; readonly recall: number };
  readonly wrongDelete: number;
  readonly lostFacts: number;
  readonly endState: number;
  readonly abstain: { readonly coverage: number; readonly accuracy: number };
  readonly msPerCase: number;
};

export type Answered = {
  readonly of: LearningCase;
  readonly got: Pick<Classification, "op" | "target" | "needsReview">;
};

/**
 * How well the product's own classifier does on a table. `now` gives milliseconds and only times
 * it.
 */
export function evalLearnings(cases: readonly LearningCase[], now: () => number): LearningsResult {
  for (const each of cases.slice(0, 20)) classify(each.text, each.index); // The first calls compile; they are not what a case costs.
  const from = now();
  const answered = cases.map((of): Answered => ({ of, got: classify(of.text, of.index) }));
  return { ...judge(answered), msPerCase: (now() - from) / Math.max(1, cases.length) };
}

/** Everything but the time. An operation counts as right with its target alone. */
export function judge(answered: readonly Answered[]): Omit<LearningsResult, "msPerCase"> {
  const right = answered.map(isRight);
  const sure = answered.filter(({ got }) => !got.needsReview);
  const noops = answered.filter(({ of }) => of.expected === "NOOP");
  const saidNoop = answered.filter(({ got }) => got.op === "NOOP");
  const others = {
    DELETE: answered.filter(({ of }) => of.expected !== "DELETE"),
    NOOP: answered.filter(({ of }) => of.expected !== "NOOP"),
  };
  const known = saidNoop.filter(isRight).length;
  return {
    cases: answered.length,
    accuracy: share(right.filter(Boolean).length, right.length),
    accuracyInterval95: interval95(right.map(Number)),
    macroF1:
      operations.map((op) => f1(answered, op)).reduce((all, each) => all + each, 0) /
      operations.length,
    dedupe: { precision: share(known, saidNoop.length), recall: share(known, noops.length) },
    wrongDelete: share(
      others.DELETE.filter(({ got }) => got.op === "DELETE").length,
      others.DELETE.length,
    ),
    lostFacts: share(others.NOOP.filter(({ got }) => got.op === "NOOP").length, others.NOOP.length),
    endState: share(answered.filter(endsRight).length, answered.length),
    abstain: {
      coverage: share(sure.length, answered.length),
      accuracy: share(sure.filter(isRight).length, sure.length),
    },
  };
}

export function isRight({ of, got }: Answered): boolean {
  return got.op === of.expected && got.target === of.target;
}

/**
 * Whether the index ends as it should: the same old text gone, and the new one there or not.
 * UPDATE, and DELETE with a replacement, end alike.
 */
function endsRight({ of, got }: Answered): boolean {
  const end = (op: string, target: string | null): string =>
    `${op === "UPDATE" || op === "DELETE" ? target : "-"} ${op === "NOOP" ? "old" : "new"}`;
  return end(of.expected, of.target) === end(got.op, got.target);
}

/** F1 of one operation; the target counts. */
function f1(answered: readonly Answered[], op: string): number {
  const hit = answered.filter((each) => each.of.expected === op && isRight(each)).length;
  const said = answered.filter(({ got }) => got.op === op).length;
  const meant = answered.filter(({ of }) => of.expected === op).length;
  return said + meant === 0 ? 0 : (2 * hit) / (said + meant);
}
