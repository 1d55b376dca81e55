/**
 * What became of a quantity over a run: at its beginning and end, at its most, and how much an hour
 * would add by the straight line that fits best.
 */
export type Series = {
  readonly first: number;
  readonly last: number;
  readonly most: number;
  readonly perHour: number;
};

export type Point = { readonly at: number; readonly value: number };

/** Times in milliseconds; zeros without points. */
export function seriesOf(points: readonly Point[]): Series {
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined) return { first: 0, last: 0, most: 0, perHour: 0 };
  return {
    first: round(first.value),
    last: round(last.value),
    most: round(Math.max(...points.map(({ value }) => value))),
    perHour: round(slopeOf(points) * 3_600_000),
  };
}

/** By least squares; 0 where all is one moment. */
function slopeOf(points: readonly Point[]): number {
  const mean = (of: (point: Point) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [at, value] = [mean((point) => point.at), mean((point) => point.value)];
  const spread = points.reduce((sum, point) => sum + (point.at - at) ** 2, 0);
  return spread === 0
    ? 0
    : points.reduce((sum, point) => sum + (point.at - at) * (point.value - value), 0) / spread;
}

/** The value below which such a share of them lies; 0 without any. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
