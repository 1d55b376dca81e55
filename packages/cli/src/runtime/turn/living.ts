import type { RefText } from "@loopwork/core";
import type { RunningChild } from "@loopwork/core/ports";

/** The children that work now, by the endpoint they work for: the one place through which a stop reaches a turn. */
export type LivingTurns = {
  add(endpoint: RefText, child: RunningChild): () => void;
  /** The child at work for the endpoint; null when none is. */
  find(endpoint: RefText): RunningChild | null;
  all(): readonly { readonly endpoint: RefText; readonly child: RunningChild }[];
};

export function createLivingTurns(): LivingTurns {
  const living = new Map<RefText, RunningChild>();
  return {
    add(endpoint, child) {
      living.set(endpoint, child);
      return () => void (living.get(endpoint) === child && living.delete(endpoint));
    },
    find: (endpoint) => living.get(endpoint) ?? null,
    all: () => [...living].map(([endpoint, child]) => ({ endpoint, child })),
  };
}
