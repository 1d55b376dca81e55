import { authorityOf } from "../control/authority.ts";
import { stepOf } from "../control/lifecycle.ts";
import type { ClosedEvent } from "../event/event.ts";
import { formatRef, sameRef } from "../ref/ref.ts";
import type { Decision } from "./decision.ts";
import { ending, endings } from "./endings.ts";
import { foreignReason } from "./foreign-pull-request.ts";
import { isStale, isStaleOf, itemRef, viewOf } from "./item-view.ts";
import { ignored, noted } from "./outcome.ts";
import type { Policy } from "../config/policy.ts";
import { isRunning, situationOf } from "./lifecycle-facts.ts";
import type { State } from "./state.ts";
import type { Target } from "../linking/target.ts";
import { tell } from "./deliver-input.ts";
import { hasLabel } from "../event/labels.ts";
import { leavesNoRecord } from "./unrecorded-closing.ts";

/** A turn in flight gets at most ten minutes, then its session ends. */
const graceMs = 10 * 60 * 1000;

/**
 * Only the object that closed ends. The work item's closing releases everything, if an authorized
 * person closed it; else it is deferred until a `cleanup`. A pull request's closing, merged or not,
 * ends the session that was registered against that pull request and leaves the work item at work.
 */
export function onClosed(event: ClosedEvent, state: State, policy: Policy): Decision {
  const { target, item } = state;
  if (target === null) return ignored("no-work-item");
  if (state.ownedBy !== null) return ignored("owned-elsewhere");
  if (!sameRef(itemRef(event), target.workItem)) return pullRequestClosed(event, state, policy);
  const record = item.workItem;
  const move = authorityOf(event, state, policy).authority === "authorized" ? "close" : "defer";
  if (isStale(event, event.item, record) && record?.open === true)
    return noted("closing-overtaken");
  const step = stepOf(move, situationOf(viewOf(event, state, policy), state, policy));
  // An armed item that closes before anybody heard of it is remembered: its start may still be on
  // the way, and must meet that it is closed.
  const known = record !== null || hasLabel(event.item.labels, policy.autoExecuteLabel);
  const why = foreignReason(state) ?? leavesNoRecord;
  if (step.to === null) return known ? noted(why) : ignored(why);
  if (move === "defer")
    return { verdict: { kind: "close-deferred" }, reason: "closed-by-unauthorized", effects: [] };
  return closed(
    target,
    true,
    [
      ...endings(item, "closed", graceMs),
      { kind: "release", workItem: target.workItem, why: "closed" },
    ],
    "closed-by-authorized",
  );
}

/**
 * Its own session ends; without one the work item's session is told, if somebody authorized closed
 * it. Also what the session closed itself under its operator's login is told: nothing tells that
 * from the operator's merge of its work, which it must hear of (ADR 0012).
 */
function pullRequestClosed(event: ClosedEvent, state: State, policy: Policy): Decision {
  const endpoint = itemRef(event);
  const text = formatRef(endpoint);
  const link = state.item.pullRequests.find((each) => each.pullRequest === text);
  if (link?.open === true && isStaleOf(link, event, event.item)) return ignored("older-than-known");
  const own = state.item.sessions.some(
    (session) => session.endpoint === text && session.status !== "closed",
  );
  if (own && state.target !== null)
    return closed(
      { ...state.target, endpoint },
      false,
      ending(endpoint, "closed", graceMs),
      "pull-request-closed",
    );
  const { authority } = authorityOf(event, state, policy);
  if (authority === "authorized" && isRunning(state)) return tell(event, state, policy, authority);
  return state.item.workItem === null
    ? ignored("pull-request-closed")
    : noted("pull-request-closed");
}

function closed(
  target: Target,
  whole: boolean,
  effects: Decision["effects"],
  reason: Decision["reason"],
): Decision {
  return {
    verdict: { kind: "closed", endpoint: whole ? target.workItem : target.endpoint, whole },
    reason,
    effects,
  };
}
