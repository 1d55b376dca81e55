import {
  compare,
  featureNames,
  type Operation,
  operations,
  type Weights,
} from "@loopwork/core/learnings";
import type { LearningCase } from "./cases.ts";

/**
 * How strongly weights are kept small. Of 0.003 to 0.03 all did alike in cross-validation; this one
 * stands in the middle.
 */
const decay = 0.01;
const steps = 400;

type Example = { readonly seen: Float64Array; readonly expected: number };

/**
 * Fits the weights of core's classifier: a softmax regression, by Adam over all examples at once.
 * There is no randomness in it, so that the same cases give the same weights.
 */
export function fit(cases: readonly LearningCase[]): Weights {
  const examples = cases.flatMap(exampleOf);
  const rows = operations.map(() => new Float64Array(featureNames.length));
  const [means, squares] = [rows.map((row) => row.slice()), rows.map((row) => row.slice())];
  for (let step = 1; step <= steps; step += 1) {
    for (const [op, slope] of slopesOf(rows, examples).entries())
      adjust(rows[op] ?? slope, slope, means[op] ?? slope, squares[op] ?? slope, step);
  }
  const rounded = (op: Operation): readonly number[] =>
    Array.from(rows[operations.indexOf(op)] ?? [], (weight) => Math.round(weight * 1000) / 1000);
  return {
    ADD: rounded("ADD"),
    UPDATE: rounded("UPDATE"),
    NOOP: rounded("NOOP"),
    DELETE: rounded("DELETE"),
  };
}

/**
 * One step of Adam for the weights of one operation; the first of them, the bias, is not kept
 * small.
 */
function adjust(
  row: Float64Array,
  slope: Float64Array,
  mean: Float64Array,
  square: Float64Array,
  step: number,
): void {
  const rate = 0.08 * (1 - step / steps) + 0.002;
  for (const [at, weight] of row.entries()) {
    const down = (slope[at] ?? 0) + (at === 0 ? 0 : decay * weight);
    const [first, second] = [
      0.9 * (mean[at] ?? 0) + 0.1 * down,
      0.999 * (square[at] ?? 0) + 0.001 * down * down,
    ];
    mean[at] = first;
    square[at] = second;
    row[at] =
      weight -
      (rate * (first / (1 - 0.9 ** step))) / (Math.sqrt(second / (1 - 0.999 ** step)) + 1e-8);
  }
}

/**
 * What the classifier sees of a case: the candidate beside the fact that it is nearest to. Where
 * that is another one than the case is about, it teaches nothing.
 */
function exampleOf({ text, index, expected, target }: LearningCase): readonly Example[] {
  const seen = compare(text, index);
  return seen === null || (target !== null && seen.retrieved[0] !== target)
    ? []
    : [
        {
          seen: Float64Array.from(featureNames, (name) => seen.features[name]),
          expected: operations.indexOf(expected),
        },
      ];
}

function slopesOf(
  rows: readonly Float64Array[],
  examples: readonly Example[],
): readonly Float64Array[] {
  const slopes = rows.map((row) => new Float64Array(row.length));
  for (const { seen, expected } of examples) {
    const chances = softmax(rows.map((row) => product(row, seen)));
    for (const [op, slope] of slopes.entries()) {
      const error = ((chances[op] ?? 0) - (op === expected ? 1 : 0)) / examples.length;
      for (let at = 0; at < slope.length; at += 1)
        slope[at] = (slope[at] ?? 0) + error * (seen[at] ?? 0);
    }
  }
  return slopes;
}

function product(row: Float64Array, seen: Float64Array): number {
  let total = 0;
  for (let at = 0; at < row.length; at += 1) total += (row[at] ?? 0) * (seen[at] ?? 0);
  return total;
}

function softmax(scores: readonly number[]): readonly number[] {
  const most = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - most));
  const total = powers.reduce((all, power) => all + power, 0);
  return powers.map((power) => power / total);
}
