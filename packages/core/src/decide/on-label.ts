import { authorityOf } from "../control/authority.ts";
import type { LabelEvent } from "../normalise/event.ts";
import type { Decision } from "./decision.ts";
import { hasLabel, viewOf } from "./item-view.ts";
import { ignored, noted } from "./outcome.ts";
import type { Policy } from "./policy.ts";
import type { State } from "./state.ts";
import { startsByItself, tell } from "./tell.ts";

/**
 * The auto-execute label arms a work item and its removal disarms it, whoever did it; neither starts nor stops anything by
 * itself (service.md 3.1). Only without `requireStartCommand` does an authorized person's label start the work.
 */
export function onLabel(event: LabelEvent, state: State, policy: Policy): Decision {
  if (state.target === null) return ignored("no-work-item");
  if (state.ownedBy !== null) return ignored("owned-elsewhere");
  if (!hasLabel([event.label], policy.autoExecuteLabel)) return state.item.workItem === null ? ignored("nothing-to-tell") : noted("nothing-to-tell");
  const view = viewOf(event, state, policy);
  const added = event.change === "added";
  if (view.stale && view.armed !== added) return ignored("older-than-known");
  if (!view.itself) return noted("nothing-to-tell");
  if (!added) return noted("disarmed");
  const { authority } = authorityOf(event, state, policy);
  return state.own === "no" && startsByItself(event, state, policy, authority) ? tell(event, state, policy, authority) : noted("armed");
}
