import type {
  ControlRecord,
  ControlSource,
  ControlStatus,
  Hold,
  ItemState,
} from "../work-item/records.ts";
import { resumeOpens } from "../dispatch/lane.ts";
import { formatRef, type RefText } from "../work-item/ref.ts";
import type { Verdict } from "./decision.ts";
import type { Reason } from "./reason.ts";
import type { DecidedFact } from "./effect.ts";
import { foldCi } from "./fold-ci.ts";
import { seeItem } from "./fold-item.ts";
import { holdLane, holdLanes, openLanes, withLane } from "./fold-lanes.ts";
import { moveSessions, updateSession } from "./fold-sessions.ts";
import { holdStart } from "./held-start.ts";
import { toldAnew, withoutStartText, withStartText } from "./fold-start-text.ts";
import { itemRef } from "./item-view.ts";
import { endGrants, endUntold, granting, recognised, revoking } from "./fold-grants.ts";
import { measureAfter, timeOf } from "./overtaken.ts";
import { showsUntoldReopening } from "./untold-reopening.ts";

/**
 * Folds a decision: first what its event shows, then what its verdict means. What was rejected or
 * ignored leaves no trace, and what was refused makes no record of an item that had none: a refused
 * start leaves no request. A revocation that found nobody does: the grant that it is about may be
 * on its way.
 */
export function foldDecision(item: ItemState, fact: DecidedFact): ItemState {
  const { verdict } = fact.decision;
  if (fact.target === null || verdict.kind === "rejected" || verdict.kind === "ignored")
    return item;
  if (verdict.kind === "refused") return refusedFold(item, fact);
  const workItem = formatRef(fact.target.workItem);
  const known = fact.authority === "collaborator" ? recognised(item, fact.event.actor) : item;
  return warned(
    foldCi(
      steered(foldVerdict(told(seen(known, fact, workItem), fact), fact, workItem), fact),
      fact,
    ),
    fact,
  );
}

/**
 * People read on the thread that the pull request stands alone: the first of their comments there
 * is answered with that.
 */
function warned(item: ItemState, { event, target }: DecidedFact): ItemState {
  if (
    event.kind !== "comment" ||
    target?.foreign?.atWork !== true ||
    !target.foreign.told ||
    item.workItem === null ||
    item.workItem.foreignTold === true
  )
    return item;
  return { ...item, workItem: { ...item.workItem, foreignTold: true } };
}

/**
 * What the event shows, and the end of every grant where it closes or reopens the item, or is the
 * first to show it closed. No grant outlives a closing, whoever closed the item, and whichever of
 * the events around a closing comes through.
 */
function seen(item: ItemState, fact: DecidedFact, workItem: RefText): ItemState {
  const after = seeItem(item, fact);
  const closes = item.workItem?.open === true && after.workItem?.open === false;
  if (closes || endsGrants(fact, workItem)) return endGrants(after, fact);
  return showsUntoldReopening(fact.event, fact.target, item)
    ? endUntold(after, fact.event, fact.at)
    : after;
}

/**
 * What is told beside a keyword goes onto a lane like any other input, and answers what the session
 * asked.
 */
function told(item: ItemState, fact: DecidedFact): ItemState {
  const { verdict, effects } = fact.decision;
  if (!verbs.has(verdict.kind)) return item;
  return effects.reduce(
    (state, effect) =>
      effect.kind === "turn"
        ? withLane(
            updateSession(state, effect.endpoint, { asked: null }),
            formatRef(effect.endpoint),
          )
        : state,
    item,
  );
}

function refusedFold(item: ItemState, fact: DecidedFact): ItemState {
  const { verdict, reason } = fact.decision;
  const ref = fact.target === null ? null : formatRef(fact.target.workItem);
  if (verdict.kind === "refused" && revokingReasons.has(reason))
    return revoking(seeItem(item, fact), fact, verdict.login ?? null, verdict.account);
  if (
    reason === "text-edited" &&
    ref !== null &&
    (item.workItem !== null || fact.labelled === true)
  ) {
    const held = seen(item, fact, ref);
    return held.workItem === null ? held : { ...held, workItem: holdStart(held.workItem, fact) };
  }
  const shown = item.workItem === null || ref === null ? item : seen(item, fact, ref);
  return reason === "not-paused" ? steeredBy(shown, fact) : shown;
}

/** What is refused because somebody is heard all the same, or may be, takes back what it can. */
const revokingReasons: ReadonlySet<Reason> = new Set([
  "not-a-collaborator",
  "revocation-unanswered",
  "revoked-in-part",
  "still-authorized",
]);

function foldVerdict(item: ItemState, fact: DecidedFact, workItem: RefText): ItemState {
  const { verdict } = fact.decision;
  switch (verdict.kind) {
    case "rejected":
    case "ignored":
    case "refused":
      return item;
    case "noted":
      return item;
    case "started":
      return withLane(
        withStartText(deferring(controlled(item, fact, "started", null), false), fact),
        formatRef(verdict.endpoint),
      );
    case "delivered":
      return withLane(
        toldAnew(
          isAnswer(fact) ? updateSession(item, verdict.endpoint, { asked: null }) : item,
          fact,
        ),
        formatRef(verdict.endpoint),
      );
    case "paused":
      return holdLanes(controlled(item, fact, "paused", beforePause(item)), {
        reason: "paused",
        until: null,
        detail: `paused by ${verdict.by}`,
      });
    case "resumed":
      return openLanes(controlled(item, fact, resumedTo(item), null), null, (hold) =>
        resumeOpens(hold),
      );
    case "stopped":
      return ended(withdrawn(item, fact), allLanes(item), "ending");
    case "cleaned-up":
      return ended(
        deferring(withdrawn(isOver(item) ? endGrants(item, fact) : item, fact), false),
        allLanes(item, workItem),
        "releasing",
      );
    case "closed":
      if (!verdict.whole) return ended(item, [formatRef(verdict.endpoint)], "ending");
      return ended(
        deferring(controlled(item, fact, "closed", statusOf(item)), false),
        allLanes(item, workItem),
        "releasing",
      );
    case "close-deferred":
      return deferring(item, true);
    case "reopened":
      return reopened(
        deferring(
          controlled(
            item,
            fact,
            verdict.to,
            verdict.to === "paused" ? (item.workItem?.control.beforePause ?? "started") : null,
          ),
          false,
        ),
        verdict.to,
      );
    case "granted":
      return granting(item, {
        login: verdict.login,
        id: verdict.id ?? null,
        grantedBy: verdict.by,
        at: timeOf(fact.event, fact.at).at,
      });
    case "revoked":
      return revoking(item, fact, verdict.login, verdict.account);
  }
}

/** Whatever a person says to a session that asked is its answer; what a machine reports is none. */
function isAnswer({ event }: DecidedFact): boolean {
  return event.kind === "comment" || event.kind === "control";
}

/** A control verb that was taken stands between what came before it and what comes after. */
function steered(item: ItemState, fact: DecidedFact): ItemState {
  const { verdict, reason } = fact.decision;
  return reason === "start-requested" || verbs.has(verdict.kind) ? steeredBy(item, fact) : item;
}

/**
 * Also by a resume where nothing waits: what is being looked into at that moment is looked into
 * once more.
 */
function steeredBy(item: ItemState, { event }: DecidedFact): ItemState {
  return item.workItem === null
    ? item
    : { ...item, workItem: { ...item.workItem, steered: event.deliveryId } };
}

const verbs: ReadonlySet<Verdict["kind"]> = new Set([
  "paused",
  "resumed",
  "stopped",
  "cleaned-up",
  "granted",
  "revoked",
] as const);

/** Writes the control record: who asked for what, when, and from when on a start counts. */
function controlled(
  item: ItemState,
  { decision, event, instance, at: decidedAt }: DecidedFact,
  status: ControlStatus,
  before: ControlStatus | null,
): ItemState {
  if (item.workItem === null) return item;
  const { verdict } = decision;
  const requestedBy = "by" in verdict ? verdict.by : (event.actor?.login ?? null);
  const source: ControlSource =
    event.kind === "comment"
      ? "comment"
      : event.source === "cli" || event.source === "api"
        ? event.source
        : "activity";
  const known = item.workItem.control;
  const taken = timeOf(event, decidedAt);
  const since = measureAfter(
    known,
    taken,
    verdict.kind === "started" || verdict.kind === "resumed",
  );
  const pausedBefore =
    status === "closed" && before === "paused" && known.before !== null
      ? { beforePause: known.before }
      : {};
  const control: ControlRecord = {
    status,
    instance,
    requestedBy,
    source,
    deliveryId: event.deliveryId,
    at: taken.at,
    before,
    ...pausedBefore,
    since,
  };
  const { startHeld: _held, ...record } = item.workItem;
  return { ...item, workItem: { ...record, control } };
}

/**
 * A grant ends with the work item, also where nothing else was to end; a reopening proves a closing
 * that may not have been told.
 */
function endsGrants({ event }: DecidedFact, workItem: RefText): boolean {
  const isEnd =
    event.kind === "closed" || (event.kind === "activity" && event.action === "reopened");
  return isEnd && formatRef(itemRef(event)) === workItem;
}

/**
 * The item is closed on the host, also by somebody whose closing was deferred: cleaning it up then
 * is its end.
 */
function isOver({ workItem }: ItemState): boolean {
  return workItem !== null && (workItem.closeDeferred || !workItem.open);
}

function statusOf(item: ItemState): ControlStatus {
  return item.workItem?.control.status ?? "idle";
}

/**
 * A second pause does not forget what the first one interrupted, nor a stop before a closing that a
 * stranger undid.
 */
function beforePause(item: ItemState): ControlStatus | null {
  const status = statusOf(item);
  if (status === "paused") return item.workItem?.control.before ?? null;
  if (status !== "closed") return status;
  const { before = null, beforePause = null } = item.workItem?.control ?? {};
  return before === "stopped" || beforePause === "stopped" ? "stopped" : "idle";
}

function resumedTo(item: ItemState): ControlStatus {
  return statusOf(item) === "paused" ? (item.workItem?.control.before ?? "idle") : statusOf(item);
}

/**
 * Stopping or cleaning up what is closed leaves it closed; open again, it is stopped and not as
 * before, so that nothing starts it by itself.
 */
function withdrawn(item: ItemState, fact: DecidedFact): ItemState {
  const closed = statusOf(item) === "closed" && item.workItem?.open === false;
  return withoutStartText(
    controlled(item, fact, closed ? "closed" : "stopped", closed ? "stopped" : null),
  );
}

/** Every endpoint with a session or a lane, and the work item's own where a release follows. */
function allLanes(item: ItemState, workItem: RefText | null = null): readonly RefText[] {
  const endpoints = [
    ...item.sessions
      .filter((session) => session.status !== "closed")
      .map((session) => session.endpoint),
    ...item.lanes.map((lane) => lane.endpoint),
  ];
  return [...new Set(workItem === null ? endpoints : [...endpoints, workItem])];
}

/**
 * Sessions close and lanes wait until that is done; these holds are also what `stillDue` asks for.
 */
function ended(
  item: ItemState,
  endpoints: readonly RefText[],
  reason: "ending" | "releasing",
): ItemState {
  return endpoints.reduce(
    (state, endpoint) =>
      holdLane(moveSessions(state, endpoint, ["active", "lost"], "closing"), endpoint, {
        reason,
        until: null,
        detail: details[reason],
      }),
    item,
  );
}

const details = {
  ending: "its session is ending",
  releasing: "its checkout is being released",
} as const;

/**
 * An authorized reopening calls off the release; a session that still lives goes on where the item
 * was at work. What was paused is paused again, also on lanes that had opened since.
 */
function reopened(item: ItemState, to: ControlStatus): ItemState {
  const working =
    to === "started" || (to === "paused" && item.workItem?.control.before === "started");
  const lifted = working
    ? openLanes(moveSessions(item, null, ["closing"], "active"), null, isEnd)
    : item.lanes.reduce(
        (state, lane) =>
          lane.hold?.reason === "releasing" ? relabel(state, lane.endpoint) : state,
        item,
      );
  return to === "paused"
    ? holdLanes(lifted, {
        reason: "paused",
        until: null,
        detail: `paused by ${item.workItem?.control.requestedBy ?? "nobody"}`,
      })
    : lifted;
}

/** The session still ends; the checkout stays. */
function relabel(item: ItemState, endpoint: RefText): ItemState {
  const hold = item.sessions.some(
    (session) => session.endpoint === endpoint && session.status === "closing",
  )
    ? ({ reason: "ending", until: null, detail: details.ending } as const)
    : null;
  return hold === null ? openLanes(item, endpoint, isEnd) : holdLane(item, endpoint, hold);
}

function isEnd({ reason }: Hold): boolean {
  return reason === "ending" || reason === "releasing";
}

function deferring(item: ItemState, closeDeferred: boolean): ItemState {
  return item.workItem === null || item.workItem.closeDeferred === closeDeferred
    ? item
    : { ...item, workItem: { ...item.workItem, closeDeferred } };
}
