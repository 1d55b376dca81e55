import type { RefText } from "@loopwork/core";
import type { Decided } from "@loopwork/core/ports";

/** Throws for what deciding must never hand in: a state or effects without a work item that they could belong to. */
export function checkDecided(decided: Decided, workItem: RefText | null): void {
  if (workItem === null && (decided.after !== null || decided.decision.effects.length > 0)) {
    throw new Error(`the decision ${decided.decision.reason} has a state or effects but no work item`);
  }
}
