import { authorityOf } from "../control/authority.ts";
import type { LabelEvent } from "../normalise/event.ts";
import type { Decision } from "./decision.ts";
import { viewOf } from "./item-view.ts";
import { ignored, noted } from "./outcome.ts";
import type { Policy } from "./policy.ts";
import type { State } from "./state.ts";
import { startsByItself, tell } from "./tell.ts";
import { hasLabel } from "./telling.ts";

/**
 * The auto-execute label arms a work item and its removal disarms it, whoever did it; neither
 * starts nor stops anything by itself. Either is remembered, so that an older event that is told
 * later changes nothing. Only without `requireStartCommand` does an authorized person's label start
 * the work.
 */
export function onLabel(event: LabelEvent, state: State, policy: Policy): Decision {
  if (state.target === null) return ignored("no-work-item");
  if (state.ownedBy !== null) return ignored("owned-elsewhere");
  const remembered = state.item.workItem === null ? ignored : noted;
  if (!hasLabel([event.label], policy.autoExecuteLabel)) return remembered("nothing-to-tell");
  const view = viewOf(event, state, policy);
  const added = event.change === "added";
  if (view.stale && view.armed !== added) return ignored("older-than-known");
  const { authority } = authorityOf(event, state, policy);
  if (added && state.own === "no" && startsByItself(event, state, policy, authority))
    return tell(event, state, policy, authority);
  if (!view.itself) return remembered("nothing-to-tell");
  return noted(added ? "armed" : "disarmed");
}
