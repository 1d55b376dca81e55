import type { Situation } from "../control/lifecycle.ts";
import { idleControl, type ItemState } from "../work-item/records.ts";
import type { ItemView } from "./item-view.ts";
import type { Policy } from "./policy.ts";
import type { State } from "./state.ts";

/** What the lifecycle needs to know, gathered from view, state and policy. */
export function situationOf(view: ItemView, state: State, policy: Policy): Situation {
  const control = state.item.workItem?.control ?? idleControl;
  return { control, open: view.open, armed: view.armed, confirmed: isConfirmed(state), spawning: policy.spawnOnUnmatched === "labeled", lanes: lanesOf(state.item) };
}

/** A branch name alone is a guess until the issue itself was seen here (decisions.md 5). */
export function isConfirmed({ target, item }: State): boolean {
  return target === null || target.provenance !== "head-branch" || (item.workItem !== null && item.workItem.hostId !== null);
}

/** `ending` and `releasing` pass by themselves and count neither as held nor as uncertain. */
function lanesOf(item: ItemState): Situation["lanes"] {
  let lanes: Situation["lanes"] = "open";
  for (const { hold } of item.lanes) {
    if (hold === null || hold.reason === "ending" || hold.reason === "releasing") continue;
    if (hold.reason !== "uncertain") return "held";
    lanes = "uncertain";
  }
  return lanes;
}
