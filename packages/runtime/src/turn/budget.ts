import { budgetHold, evolve, withInFlight } from "@loopwork/core";
import type { Hold, ItemState, RefText, Spend } from "@loopwork/core/ports";
import type { RuntimeParts } from "../parts.ts";
import { refOf } from "./session.ts";

/**
 * Watches what work items spend. It remembers what it last saw of each, so that what runs beside a
 * turn is not counted twice.
 */
export type BudgetWatch = {
  /**
   * The hold that follows from the spend of `item`, with turns in flight; null when no budget was
   * reached.
   */
  look(workItem: RefText, before: Spend, after: Spend, inFlight: readonly Spend[]): Hold | null;
};

export function createBudgetWatch(parts: Pick<RuntimeParts, "settings">): BudgetWatch {
  const seen = new Map<RefText, Spend>();
  return {
    look(workItem, before, after, inFlight) {
      const { budget } = parts.settings().dispatch;
      if (budget.turns === null && budget.usd === null && budget.minutes === null) return null;
      const total = withInFlight(after, inFlight);
      const hold = budgetHold(seen.get(workItem) ?? before, total, budget);
      seen.set(workItem, total);
      return hold;
    },
  };
}

/** A budget is the work item's, so each of its lanes waits. */
export function holdAll(item: ItemState, hold: Hold): ItemState {
  return item.lanes.reduce(
    (state, { endpoint }) => evolve(state, { kind: "lane-held", endpoint: refOf(endpoint), hold }),
    item,
  );
}
