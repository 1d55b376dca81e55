import type { Step } from "../api/shapes.ts";

/**
 * A line of the plot: its corners in a box of 0 to 1 across and down, and how much it is all in
 * all.
 */
export type Curve = {
  readonly name: "accepted" | "decided" | "failed";
  readonly sum: number;
  readonly points: readonly (readonly [number, number])[];
};

export type Drawing = {
  readonly curves: readonly Curve[];
  /** What the top edge means. */ readonly top: number;
};

/**
 * Where the lines go. A plot on which nothing happened has its top at 1, so that its lines lie at
 * the bottom.
 */
export function drawingOf(steps: readonly Step[]): Drawing {
  const top = Math.max(
    1,
    ...steps.flatMap(({ accepted, decided, failed }) => [accepted, decided, failed]),
  );
  const across = Math.max(1, steps.length - 1);
  const curves = (["accepted", "decided", "failed"] as const).map((name) => ({
    name,
    sum: steps.reduce((sum, step) => sum + step[name], 0),
    points: steps.map((step, index) => [index / across, 1 - step[name] / top] as const),
  }));
  return { curves, top };
}
