import type { RefText, Spend } from "@loopwork/core";
import type { RunningChild } from "@loopwork/core/ports";

/** The children that work now, by the endpoint they work for: the one place through which a stop reaches a turn. */
export type LivingTurns = {
  add(turn: Pick<LivingTurn, "endpoint" | "workItem" | "child" | "since">): LivingHandle;
  /** The child at work for the endpoint; null when none is. */
  find(endpoint: RefText): RunningChild | null;
  all(): readonly LivingTurn[];
  /** What turns of the work item that run now have used so far, without the one for `but`. */
  inFlight(workItem: RefText, but: RefText, now: number): readonly Spend[];
};

/** `since` is milliseconds since 1970; `usd` what the harness has reported of this turn so far. */
export type LivingTurn = { readonly endpoint: RefText; readonly workItem: RefText; readonly child: RunningChild; readonly since: number; usd: number };
export type LivingHandle = { spent(usd: number): void; forget(): void };

export function createLivingTurns(): LivingTurns {
  const living = new Map<RefText, LivingTurn>();
  return {
    add(turn) {
      const entry: LivingTurn = { ...turn, usd: 0 };
      living.set(turn.endpoint, entry);
      return {
        spent: (usd) => void (entry.usd = usd),
        forget: () => void (living.get(turn.endpoint) === entry && living.delete(turn.endpoint)),
      };
    },
    find: (endpoint) => living.get(endpoint)?.child ?? null,
    all: () => [...living.values()],
    inFlight: (workItem, but, now) => [...living.values()].filter((turn) => turn.workItem === workItem && turn.endpoint !== but).map(({ usd, since }) => ({ turns: 1, usd, minutes: Math.max(0, now - since) / 60_000 })),
  };
}
