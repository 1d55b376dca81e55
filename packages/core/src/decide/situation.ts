import type { Situation } from "../control/lifecycle.ts";
import type { InboundEvent } from "../normalise/event.ts";
import { idleControl, type ItemState } from "../work-item/records.ts";
import { formatRef } from "../work-item/ref.ts";
import type { ItemView } from "./item-view.ts";
import type { Policy } from "./policy.ts";
import type { Reason } from "./reason.ts";
import type { State, Target, UnansweredQuestion } from "./state.ts";
import { hasLabel } from "./telling.ts";

/** What the lifecycle needs to know, gathered from view, state and policy. */
export function situationOf(view: ItemView, state: State, policy: Policy): Situation {
  const control = state.item.workItem?.control ?? idleControl;
  return {
    control,
    open: view.open,
    armed: view.armed,
    confirmed: isConfirmed(state),
    spawning: policy.spawnOnUnmatched === "labeled",
    lanes: lanesOf(state.item),
    sessions: state.item.sessions.length > 0,
  };
}

/**
 * Whether it is sure enough what is meant to spawn on it. A branch name alone is a guess until the
 * issue itself was seen here, or the host says that it has it. A pull request is its own work item
 * only when nothing links it to an issue: while the host does not tell that, a session of its own
 * could be the second one for the same work.
 */
export function isConfirmed({ target, item, branchConfirmed, unanswered }: State): boolean {
  if (target === null) return true;
  if (target.foreign?.told === false) return false;
  if (target.provenance === "itself") return !(unanswered ?? []).some(isAboutLinks);
  return (
    target.provenance !== "head-branch" ||
    branchConfirmed === true ||
    (item.workItem !== null && item.workItem.hostId !== null)
  );
}

/**
 * Why it is not sure enough: the host kept silent about a pull request, or only a branch name
 * points to the issue.
 */
export function whyUnconfirmed({ target }: State): Reason {
  return target?.provenance === "itself" ? "link-unanswered" : "link-unconfirmed";
}

/**
 * A host that says no, or that there is no such thing, has answered; one that is silent may yet
 * name an issue.
 */
function isAboutLinks({ question, why }: UnansweredQuestion): boolean {
  const refused =
    why === "LOOP_E_HOST_FORBIDDEN" ||
    why === "LOOP_E_HOST_REFUSED" ||
    why === "LOOP_E_HOST_NOT_FOUND" ||
    why === "LOOP_E_HOST_GONE";
  return (question === "closing-references" || question === "head") && !refused;
}

/**
 * Whether the host should be asked for the issue that only a branch name points to: a pull request
 * that carries the label may spawn on it. What was seen here needs no asking; the caller knows
 * that.
 */
export function wantsConfirming(
  event: InboundEvent,
  target: Target | null,
  policy: Pick<Policy, "autoExecuteLabel">,
): boolean {
  if (target?.provenance !== "head-branch" || !("item" in event) || event.kind === "closed")
    return false;
  return hasLabel(event.item.labels, policy.autoExecuteLabel);
}

/**
 * True when input is to be delivered: the item was started, also if paused since, or a session is
 * registered for the endpoint.
 */
export function isRunning(state: Pick<State, "item" | "target">): boolean {
  const control = state.item.workItem?.control;
  if (control?.status === "started") return true;
  if (control?.status === "paused" && control.before === "started") return true;
  if (state.target === null || state.item.sessions.length === 0) return false;
  const endpoint = formatRef(state.target.endpoint);
  return state.item.sessions.some(
    (session) => session.status === "active" && session.endpoint === endpoint,
  );
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
