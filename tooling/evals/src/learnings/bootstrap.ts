const rounds = 2_000;

/**
 * The middle 95 % of the mean over samples drawn with replacement. The same values give the same
 * interval, on every machine.
 */
export function interval95(values: readonly number[]): readonly [low: number, high: number] {
  if (values.length === 0) return [0, 0];
  const next = createRandom(20_260_101);
  const means = Array.from({ length: rounds }, () => {
    let total = 0;
    for (let drawn = 0; drawn < values.length; drawn += 1)
      total += values[Math.floor(next() * values.length)] ?? 0;
    return total / values.length;
  }).toSorted((one, other) => one - other);
  return [means[Math.floor(rounds * 0.025)] ?? 0, means[Math.ceil(rounds * 0.975) - 1] ?? 0];
}

/** mulberry32: numbers from 0 to 1 out of a seed. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
