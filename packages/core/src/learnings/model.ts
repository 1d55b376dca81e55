import { featureNames, type Features } from "./features.ts";
import { shipped } from "./weights.ts";

/**
 * What becomes of a candidate: a new fact, a new text of an old one, nothing because it is known,
 * or the end of an old one. They stand in the order of how little they lose where they are wrong.
 */
export const operations = ["ADD", "UPDATE", "NOOP", "DELETE"] as const;
export type Operation = (typeof operations)[number];

/** One row of weights for each operation, in the order of the features. */
export type Weights = Readonly<Record<Operation, readonly number[]>>;

/**
 * The probability of each operation by softmax regression: no more than a weighed sum of what was
 * seen.
 */
export function probabilities(
  seen: Features,
  weights: Weights = shipped,
): Readonly<Record<Operation, number>> {
  const scores = operations.map((op) =>
    featureNames.reduce((total, name, at) => total + seen[name] * (weights[op][at] ?? 0), 0),
  );
  const most = Math.max(...scores);
  const [add = 0, update = 0, noop = 0, end = 0] = scores.map((score) => Math.exp(score - most));
  const all = add + update + noop + end;
  return { ADD: add / all, UPDATE: update / all, NOOP: noop / all, DELETE: end / all };
}
