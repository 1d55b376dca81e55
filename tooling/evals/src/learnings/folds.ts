import { classify } from "@loopwork/core/learnings";
import type { LearningCase } from "./cases.ts";
import { type Answered, judge, type LearningsResult } from "./evaluate.ts";
import { fit } from "./fit.ts";

/**
 * What the classifier reaches on sources that it was not fitted on: every source in turn is left
 * out, and judged by weights from all the others and from `always`.
 */
export function crossValidate(
  cases: readonly LearningCase[],
  always: readonly LearningCase[],
): Omit<LearningsResult, "msPerCase"> {
  return judge(
    [...new Set(cases.map(({ source }) => source))].flatMap((source) =>
      answersWithout(source, cases, always),
    ),
  );
}

function answersWithout(
  source: string,
  cases: readonly LearningCase[],
  always: readonly LearningCase[],
): readonly Answered[] {
  const weights = fit([...cases.filter((each) => each.source !== source), ...always]);
  return cases
    .filter((each) => each.source === source)
    .map((of) => ({ of, got: classify(of.text, of.index, weights) }));
}

/**
 * What a table says of classifiers that never saw the source they are judged on: the weights that
 * ship may have been fitted on these very cases, and then say nothing. A sentence for people;
 * nothing of a table with a single source.
 *
 * @param beside cases that all of them are fitted on; those of a source that is judged do not count
 */
export function toldOfFolds(
  cases: readonly LearningCase[],
  beside: readonly LearningCase[],
): readonly string[] {
  const sources = new Set(cases.map(({ source }) => source));
  if (sources.size < 2) return [];
  const {
    accuracy,
    accuracyInterval95: [low, high],
    macroF1,
    dedupe,
    wrongDelete,
    lostFacts,
    abstain,
  } = crossValidate(
    cases,
    beside.filter(({ source }) => !sources.has(source)),
  );
  const told = {
    accuracy,
    low,
    high,
    macroF1,
    "dedupe precision": dedupe.precision,
    "dedupe recall": dedupe.recall,
    wrongDelete,
    lostFacts,
    "abstain coverage": abstain.coverage,
    "abstain accuracy": abstain.accuracy,
  };
  return [
    `fitted without the source that is judged, each of ${sources.size} in turn: ${Object.entries(
      told,
    )
      .map(([name, value]) => `${name} ${value.toFixed(3)}`)
      .join(", ")}`,
  ];
}
