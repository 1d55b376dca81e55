import { authorityOf } from "../control/authority.ts";
import { stepOf } from "../control/lifecycle.ts";
import type { ActivityEvent } from "../event/event.ts";
import type { Decision } from "./decision.ts";
import { foreignReason } from "./foreign-pull-request.ts";
import { viewOf } from "./item-view.ts";
import { ignored, noted } from "./outcome.ts";
import type { Policy } from "../config/policy.ts";
import type { State } from "./state.ts";
import { isRunning, situationOf } from "./lifecycle-facts.ts";
import { tell } from "./deliver-input.ts";
import { isTelling } from "../control/relevance.ts";

/**
 * Something happened to the work item or to one of its pull requests: a push, an edit, a reopening.
 * What an authorized person did is told to the session; what the session itself or anybody else did
 * is only remembered.
 */
export function onActivity(event: ActivityEvent, state: State, policy: Policy): Decision {
  if (state.target === null) return ignored("no-work-item");
  if (state.ownedBy !== null) return ignored("owned-elsewhere");
  const view = viewOf(event, state, policy);
  if (view.stale && event.item.open && !view.open) return ignored("older-than-known");
  const remembered = state.item.workItem === null ? ignored : noted;
  if (state.own === "activity" && policy.ownActivity === "ignore")
    return remembered("own-activity");

  const { authority, why } = authorityOf(event, state, policy);
  const arms = view.itself && view.armed && state.item.workItem?.armed !== true;
  if (authority !== "authorized")
    return arms ? noted("armed") : remembered(why ?? "actor-not-authorized");
  if (view.itself && event.action === "reopened") {
    const step = stepOf("reopen", situationOf(view, state, policy));
    if (step.to !== null)
      return { verdict: { kind: "reopened", to: step.to }, reason: "reopened", effects: [] };
  }
  if (arms && policy.requireStartCommand && !isRunning(state)) return noted("armed");
  // Its own opening can arrive after the start, which has shown the text already.
  const shown = view.itself && event.action === "opened" && isRunning(state);
  if (shown || !isTelling(event)) return remembered("nothing-to-tell");
  const foreign = foreignReason(state);
  if (foreign !== null) return remembered(foreign);
  const told = tell(event, state, policy, authority, view);
  // Also what concerns no session shows the item as it is now: reopened, for one.
  return told.verdict.kind === "ignored" ? remembered(told.reason) : told;
}
