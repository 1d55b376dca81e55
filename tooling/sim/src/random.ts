/** Draws that depend on the seed alone. */
export type Random = {
  /** From 0 (included) to 1 (excluded). */
  next(): number;
  /** A whole number from `least` to `most`, both included. */
  int(least: number, most: number): number;
  chance(share: number): boolean;
  pick<T>(list: readonly [T, ...T[]]): T;
  uuid(): string;
};

/** mulberry32, mixed once more so that seeds that lie side by side draw different rows. */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (least: number, most: number): number =>
    least + Math.floor(next() * (most - least + 1));
  const hex = (digits: number): string =>
    Array.from({ length: digits }, () => int(0, 15).toString(16)).join("");
  return {
    next,
    int,
    chance: (share) => next() < share,
    pick: (list) => list[int(0, list.length - 1)] ?? list[0],
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`,
  };
}
