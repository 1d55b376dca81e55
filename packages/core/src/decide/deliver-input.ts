import type { Authority } from "../control/authority-type.ts";
import { outOfScope } from "../control/instance.ts";
import type { InboundEvent } from "../event/event.ts";
import type { ControlStatus, ItemState } from "../work-item/records.ts";
import { formatRef, type Ref } from "../ref/ref.ts";
import type { Decision } from "./decision.ts";
import type { Effect } from "./effect.ts";
import { forwarded, type TextShown } from "./forwarded.ts";
import { heldByEdit } from "./held-start.ts";
import { type ItemView, viewOf } from "./item-view.ts";
import { ignored, refused } from "./outcome.ts";
import type { Policy } from "../config/policy.ts";
import type { Reason } from "../control/reason.ts";
import { isConfirmed, isRunning, whyUnconfirmed } from "./lifecycle-facts.ts";
import type { State } from "./state.ts";
import { tellsItem } from "../control/relevance.ts";
import { editBetween, editorsOf, editSince, textAtStart } from "./unauthorized-edits.ts";

/**
 * Somebody who may speak has something to tell the session. It goes onto the lane of a running
 * item, also of a paused one, where it waits in order. On an item that nobody started it is refused
 * and never looked at again, except that without `requireStartCommand` an authorized person's event
 * on an armed item starts it. A collaborator's words go into a conversation and never open one anew
 * that somebody ended.
 */
export function tell(
  event: InboundEvent,
  state: State,
  policy: Policy,
  authority: Authority,
  view: ItemView = viewOf(event, state, policy),
): Decision {
  const target = state.target;
  if (target === null) return ignored("no-work-item");
  if (isRunning(state)) {
    // A grant lasts until the item closes, also where nothing else ends with it.
    if (authority === "collaborator" && !view.open) return refused("item-closed");
    if (authority === "collaborator" && wasEnded(target.endpoint, state.item))
      return refused("collaborator-may-not-spawn");
    return {
      verdict: { kind: "delivered", endpoint: target.endpoint },
      reason: reasonOf(event, authority),
      effects: [
        turnFor(
          event,
          target.endpoint,
          state.item,
          authority,
          policy,
          shownOf(event, state, policy),
        ),
      ],
    };
  }
  const why = whyNotStarted(view, state, policy, authority);
  if (why !== null)
    return event.kind === "control"
      ? refused(why, "say")
      : isSilent(why)
        ? ignored(why)
        : refused(why);
  const edit = editSince(event, state, policy);
  if (
    edit !== null &&
    (event.kind === "comment" || event.kind === "activity" || event.kind === "label")
  )
    return heldByEdit("start", edit, event, policy);
  const by = event.actor?.login ?? "";
  return {
    verdict: { kind: "started", by, endpoint: target.workItem },
    reason: "start-by-activity",
    effects: [
      turnFor(event, target.workItem, state.item, authority, policy, textAtStart(event, state)),
    ],
  };
}

/**
 * Who tells an item's text as their own vouches for it, but not for what others put into it that
 * nobody here has read.
 */
function shownOf(event: InboundEvent, state: State, policy: Policy): TextShown {
  if (event.kind !== "activity" || !tellsItem(event)) return null;
  if (editBetween(event, state, policy) !== null) return "withheld";
  return { asOf: null, editors: editorsOf(event, state) };
}

/**
 * The session is asked to go on, or one is spawned where nothing was begun. Also a lost one goes
 * on: in a new conversation, which is told that there was an earlier one and looks at what came of
 * it first. Keywords and addresses are not told.
 */
export function turnFor(
  event: InboundEvent,
  endpoint: Ref,
  item: ItemState,
  authority: Authority,
  policy: Pick<Policy, "keywords">,
  shown: TextShown = null,
): Extract<Effect, { readonly kind: "turn" }> {
  const text = formatRef(endpoint);
  const begun = item.sessions.some(
    (session) =>
      session.endpoint === text && (session.status === "active" || session.status === "lost"),
  );
  return {
    kind: "turn",
    endpoint,
    mode: begun ? "resume" : "spawn",
    event: forwarded(event, policy, shown),
    authority,
  };
}

/** True while the endpoint's conversation can be gone on with. */
export function lives(endpoint: Ref, { sessions }: ItemState): boolean {
  const text = formatRef(endpoint);
  return sessions.some((session) => session.endpoint === text && session.status === "active");
}

/**
 * True when the endpoint had a session and has none any more; a lost one goes on in a new
 * conversation, and a start may still wait for its first.
 */
function wasEnded(endpoint: Ref, { sessions }: ItemState): boolean {
  const text = formatRef(endpoint);
  const own = sessions.filter((session) => session.endpoint === text);
  return own.length > 0 && own.every(({ status }) => status !== "active" && status !== "lost");
}

/** True when an authorized person's event starts the item without a keyword. */
export function startsByItself(
  event: InboundEvent,
  state: State,
  policy: Policy,
  authority: Authority,
): boolean {
  return (
    !isRunning(state) &&
    whyNotStarted(viewOf(event, state, policy), state, policy, authority) === null
  );
}

/** Why input does not reach an item that is not running; null when it starts the item instead. */
function whyNotStarted(
  view: ItemView,
  state: State,
  policy: Policy,
  authority: Authority,
): Reason | null {
  const status = standing(state.item, view);
  if (status === "stopped") return "not-running";
  if (!view.open) return "item-closed";
  if (!view.armed) return "unlabelled";
  if (status === "paused" || policy.requireStartCommand || authority !== "authorized")
    return "not-started";
  if (!isConfirmed(state)) return whyUnconfirmed(state);
  if (policy.spawnOnUnmatched === "never") return "spawning-disabled";
  return state.target === null
    ? "no-work-item"
    : outOfScope({ address: null, start: false }, state.target.workItem, state, policy);
}

/**
 * Where a closing has ended nothing that counts any more, because the item is open again, what was
 * before it does: also where the event is the first to show that, its reopening being on the way.
 */
function standing({ workItem }: ItemState, { open }: ItemView): ControlStatus {
  const { status = "idle", before = null } = workItem?.control ?? {};
  return status === "closed" && (before === "stopped" || before === "paused") && open
    ? before
    : status;
}

/**
 * What was never meant for the service is ignored; the rest is refused, and the log says so louder.
 */
function isSilent(why: Reason): boolean {
  return (
    why === "unlabelled" || why === "item-closed" || why === "not-running" || why === "no-work-item"
  );
}

function reasonOf(event: InboundEvent, authority: Authority): Reason {
  if (event.kind !== "comment" && event.kind !== "control") return "activity-of-session";
  return authority === "collaborator" ? "input-of-collaborator" : "input-of-authorized";
}
