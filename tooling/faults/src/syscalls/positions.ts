/** Calls with which the store writes and flushes. */
export const calls = ["pwrite64", "fdatasync", "fsync"] as const;
export type Call = (typeof calls)[number];

/** The `nth` call of a thread fails; where it `lasts`, so does every later one. */
export type Position = {
  readonly call: Call;
  readonly error: "EIO" | "ENOSPC";
  readonly nth: number;
  readonly lasts: boolean;
};

/** How many of each call the busiest thread of a life makes that nothing befalls. */
export type Counts = Readonly<Record<Call, number>>;

/**
 * So many positions, spread over all calls of a life; each is tried with both errors, once and for
 * good, before the next is.
 */
export function planPositions(counts: Counts, wanted: number): Position[] {
  const ways = calls.flatMap((call) =>
    counts[call] === 0
      ? []
      : (["EIO", "ENOSPC"] as const).flatMap((error) =>
          [false, true].map((lasts) => ({ call, error, lasts })),
        ),
  );
  return Array.from({ length: ways.length === 0 ? 0 : wanted }, (_, n) => {
    const way = ways[n % ways.length];
    if (way === undefined) throw new Error("there is always a way");
    const [turn, turns] = [Math.floor(n / ways.length), Math.ceil(wanted / ways.length)];
    return { ...way, nth: 1 + Math.floor((turn / turns) * counts[way.call]) };
  });
}

/** What strace is told about it. */
export function injectionOf({ call, error, nth, lasts }: Position): string {
  return `inject=${call}:error=${error}:when=${nth}${lasts ? "+" : ""}`;
}
