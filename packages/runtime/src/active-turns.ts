import type { RefText, RunningChild, Spend } from "@loopwork/core/ports";

/**
 * What works now, by the endpoint it works for: the one place through which a stop reaches a turn,
 * and what judges it afterwards.
 */
export type ActiveTurns = {
  add(turn: Omit<ActiveTurn, "usd">): ActiveTurnHandle;
  /** What is at work for the endpoint; null when nothing is. */
  find(endpoint: RefText): Stoppable | null;
  all(): readonly ActiveTurn[];
  /** What turns of the work item that run now have used so far, without the one for `but`. */
  inFlight(workItem: RefText, but: RefText, now: number): readonly Spend[];
};

/**
 * `since` is milliseconds since 1970; `usd` what the harness has reported of this turn so far;
 * `judges`: hooks and critics after it.
 */
export type ActiveTurn = {
  readonly endpoint: RefText;
  readonly workItem: RefText;
  readonly child: Stoppable;
  readonly since: number;
  readonly judges: boolean;
  usd: number;
};
export type Stoppable = Pick<RunningChild, "stop">;
export type ActiveTurnHandle = { spent(usd: number): void; forget(): void };

export function createActiveTurns(): ActiveTurns {
  const living = new Map<RefText, ActiveTurn>();
  return {
    add(turn) {
      const entry: ActiveTurn = { ...turn, usd: 0 };
      living.set(turn.endpoint, entry);
      return {
        spent: (usd) => void (entry.usd = usd),
        forget: () => void (living.get(turn.endpoint) === entry && living.delete(turn.endpoint)),
      };
    },
    find: (endpoint) => living.get(endpoint)?.child ?? null,
    all: () => [...living.values()],
    inFlight: (workItem, but, now) =>
      [...living.values()]
        .filter((turn) => turn.workItem === workItem && turn.endpoint !== but)
        .map(({ usd, since }) => ({ turns: 1, usd, minutes: Math.max(0, now - since) / 60_000 })),
  };
}
