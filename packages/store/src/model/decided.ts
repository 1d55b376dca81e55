import type { Decided, ItemState, RefText, StoredDelivery, TurnInput } from "@loopwork/core/ports";

/**
 * Throws for what deciding must never hand in: a state or effects without a work item that they
 * could belong to.
 */
export function checkDecided(decided: Decided, workItem: RefText | null): void {
  if (workItem === null && (decided.after !== null || decided.decision.effects.length > 0)) {
    throw new Error(
      `the decision ${decided.decision.reason} has a state or effects but no work item`,
    );
  }
}

/** A delivery on its way onto a lane, with the control verb that stands before it. */
export type QueuedDelivery = StoredDelivery & Pick<TurnInput, "steered">;

/** The control verb after which a turn is queued, out of the state after its decision. */
export function steeredOf({ workItem }: ItemState): string | null {
  return workItem?.steered ?? null;
}
