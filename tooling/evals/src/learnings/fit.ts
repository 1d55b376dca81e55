import { compare, featureNames, type Operation, operations, type Weights } from "@loopwork/core/learnings";
import type { LearningCase } from "./cases.ts";

/** How strongly weights are kept small. Of 0.003 to 0.03 all did alike in cross-validation; this one stands in the middle. */
const decay = 0.01;
const steps = 600;

type Example = { readonly seen: readonly number[]; readonly expected: Operation };

/**
 * Fits the weights of core's classifier: a softmax regression, by Adam over all examples at once. There is no randomness in
 * it, so that the same cases give the same weights.
 */
export function fit(cases: readonly LearningCase[]): Weights {
  const examples = cases.flatMap(exampleOf);
  const cells = operations.map(() => featureNames.map((): Cell => ({ weight: 0, mean: 0, square: 0 })));
  for (let step = 1; step <= steps; step += 1) {
    const slopes = slopesOf(cells.map((row) => row.map(({ weight }) => weight)), examples);
    for (const [op, row] of cells.entries()) for (const [at, cell] of row.entries()) adjust(cell, (slopes[op]?.[at] ?? 0) + (at === 0 ? 0 : decay * cell.weight), step);
  }
  const rounded = (op: Operation): readonly number[] => (cells[operations.indexOf(op)] ?? []).map(({ weight }) => Math.round(weight * 1000) / 1000);
  return { ADD: rounded("ADD"), UPDATE: rounded("UPDATE"), NOOP: rounded("NOOP"), DELETE: rounded("DELETE") };
}

/** A weight, and what Adam remembers of its slopes. */
type Cell = { weight: number; mean: number; square: number };

function adjust(cell: Cell, slope: number, step: number): void {
  cell.mean = 0.9 * cell.mean + 0.1 * slope;
  cell.square = 0.999 * cell.square + 0.001 * slope * slope;
  const rate = 0.08 * (1 - step / steps) + 0.002;
  cell.weight -= (rate * (cell.mean / (1 - 0.9 ** step))) / (Math.sqrt(cell.square / (1 - 0.999 ** step)) + 1e-8);
}

/** What the classifier sees of a case: the candidate beside the fact that it is nearest to. Where that is another one than the case is about, it teaches nothing. */
function exampleOf({ text, index, expected, target }: LearningCase): readonly Example[] {
  const seen = compare(text, index);
  return seen === null || (target !== null && seen.retrieved[0] !== target) ? [] : [{ seen: featureNames.map((name) => seen.features[name]), expected }];
}

function slopesOf(rows: readonly (readonly number[])[], examples: readonly Example[]): readonly (readonly number[])[] {
  const slopes = rows.map((row) => row.map(() => 0));
  for (const { seen, expected } of examples) {
    const chances = softmax(rows.map((row) => row.reduce((total, weight, at) => total + weight * (seen[at] ?? 0), 0)));
    for (const [op, slope] of slopes.entries()) {
      const error = ((chances[op] ?? 0) - (operations[op] === expected ? 1 : 0)) / examples.length;
      for (const [at, value] of seen.entries()) slope[at] = (slope[at] ?? 0) + error * value;
    }
  }
  return slopes;
}

function softmax(scores: readonly number[]): readonly number[] {
  const most = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - most));
  const total = powers.reduce((all, power) => all + power, 0);
  return powers.map((power) => power / total);
}
