import { classify } from "@loopwork/core/learnings";
import type { LearningCase } from "./cases.ts";
import { type Answered, judge, type LearningsResult } from "./evaluate.ts";
import { fit } from "./fit.ts";

/**
 * What the classifier reaches on sources that it was not fitted on: every source in turn is left out, and judged by weights
 * from all the others and from `always`.
 */
export function crossValidate(cases: readonly LearningCase[], always: readonly LearningCase[]): Omit<LearningsResult, "msPerCase"> {
  return judge([...new Set(cases.map(({ source }) => source))].flatMap((source) => answersWithout(source, cases, always)));
}

function answersWithout(source: string, cases: readonly LearningCase[], always: readonly LearningCase[]): readonly Answered[] {
  const weights = fit([...cases.filter((each) => each.source !== source), ...always]);
  return cases.filter((each) => each.source === source).map((of) => ({ of, got: classify(of.text, of.index, weights) }));
}
