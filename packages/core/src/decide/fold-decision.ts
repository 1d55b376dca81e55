import type { ControlRecord, ControlSource, ControlStatus, Hold, ItemState } from "../work-item/records.ts";
import { resumeOpens } from "../dispatch/lane.ts";
import { formatRef, type RefText } from "../work-item/ref.ts";
import type { DecidedFact } from "./effect.ts";
import { foldCi } from "./fold-ci.ts";
import { seeItem } from "./fold-item.ts";
import { holdLane, holdLanes, openLanes, withLane } from "./fold-lanes.ts";
import { moveSessions } from "./fold-sessions.ts";
import { instantOf } from "./instant.ts";

/**
 * Folds a decision: first what its event shows, then what its verdict means. What was rejected or ignored leaves no trace, and what
 * was refused makes no record of an item that had none: a refused start leaves no request (decisions.md 5).
 */
export function foldDecision(item: ItemState, fact: DecidedFact): ItemState {
  const { verdict } = fact.decision;
  if (fact.target === null || verdict.kind === "rejected" || verdict.kind === "ignored") return item;
  if (verdict.kind === "refused") return item.workItem === null ? item : seeItem(item, fact);
  return foldCi(foldVerdict(seeItem(item, fact), fact, formatRef(fact.target.workItem)), fact);
}

function foldVerdict(item: ItemState, fact: DecidedFact, workItem: RefText): ItemState {
  const { verdict } = fact.decision;
  switch (verdict.kind) {
    case "rejected":
    case "ignored":
    case "refused":
    case "noted":
      return item;
    case "started":
      return withLane(deferring(controlled(item, fact, "started", null), false), formatRef(verdict.endpoint));
    case "delivered":
      return withLane(item, formatRef(verdict.endpoint));
    case "paused":
      return holdLanes(controlled(item, fact, "paused", beforePause(item)), { reason: "paused", until: null, detail: `paused by ${verdict.by}` });
    case "resumed":
      return openLanes(controlled(item, fact, resumedTo(item), null), null, (hold) => resumeOpens(hold));
    case "stopped":
      return ended(controlled(item, fact, endedAs(item), null), allLanes(item), "ending");
    case "cleaned-up":
      return ended(deferring(controlled(item, fact, endedAs(item), null), false), allLanes(item, workItem), "releasing");
    case "closed":
      if (!verdict.whole) return ended(item, [formatRef(verdict.endpoint)], "ending");
      return ended(deferring({ ...controlled(item, fact, "closed", statusOf(item)), collaborators: [] }, false), allLanes(item, workItem), "releasing");
    case "close-deferred":
      return deferring(item, true);
    case "reopened":
      return reopened(deferring(controlled(item, fact, verdict.to, verdict.to === "paused" ? "started" : null), false), verdict.to);
    case "granted": {
      const others = item.collaborators.filter((each) => each.login.toLowerCase() !== verdict.login.toLowerCase());
      return others.length < item.collaborators.length ? item : { ...item, collaborators: [...others, { login: verdict.login, id: null, grantedBy: verdict.by, at: fact.at }] };
    }
    case "revoked":
      return { ...item, collaborators: item.collaborators.filter((each) => each.login.toLowerCase() !== verdict.login.toLowerCase()) };
  }
}

/** Writes the control record: who asked for what, when by the host's clock. */
function controlled(item: ItemState, { decision, event, instance, at }: DecidedFact, status: ControlStatus, before: ControlStatus | null): ItemState {
  if (item.workItem === null) return item;
  const { verdict } = decision;
  const requestedBy = "by" in verdict ? verdict.by : (event.actor?.login ?? null);
  const source: ControlSource = event.kind === "comment" ? "comment" : event.source === "cli" || event.source === "api" ? event.source : "activity";
  const written = event.kind === "control" ? null : instantOf(event.kind === "comment" ? (event.comment.createdAt ?? event.at) : event.at);
  const control: ControlRecord = { status, instance, requestedBy, source, deliveryId: event.deliveryId, at: written ?? at, before };
  return { ...item, workItem: { ...item.workItem, control } };
}

function statusOf(item: ItemState): ControlStatus {
  return item.workItem?.control.status ?? "idle";
}

/** A second pause does not forget what the first one interrupted. */
function beforePause(item: ItemState): ControlStatus | null {
  const status = statusOf(item);
  if (status === "paused") return item.workItem?.control.before ?? null;
  return status === "closed" ? "idle" : status;
}

function resumedTo(item: ItemState): ControlStatus {
  return statusOf(item) === "paused" ? (item.workItem?.control.before ?? "idle") : statusOf(item);
}

/** Stopping or cleaning up what is closed leaves it closed. */
function endedAs(item: ItemState): ControlStatus {
  return statusOf(item) === "closed" && item.workItem?.open === false ? "closed" : "stopped";
}

/** Every endpoint with a session or a lane, and the work item's own where a release follows. */
function allLanes(item: ItemState, workItem: RefText | null = null): readonly RefText[] {
  const endpoints = [...item.sessions.filter((session) => session.status !== "closed").map((session) => session.endpoint), ...item.lanes.map((lane) => lane.endpoint)];
  return [...new Set(workItem === null ? endpoints : [...endpoints, workItem])];
}

/** Sessions close and lanes wait until that is done; these holds are also what `stillDue` asks for. */
function ended(item: ItemState, endpoints: readonly RefText[], reason: "ending" | "releasing"): ItemState {
  return endpoints.reduce((state, endpoint) => holdLane(moveSessions(state, endpoint, ["active", "lost"], "closing"), endpoint, { reason, until: null, detail: details[reason] }), item);
}

const details = { ending: "its session is ending", releasing: "its checkout is being released" } as const;

/** An authorized reopening calls off the release; a session that still lives goes on where the item was at work (S07). */
function reopened(item: ItemState, to: ControlStatus): ItemState {
  const working = to === "started" || to === "paused";
  if (working) return openLanes(moveSessions(item, null, ["closing"], "active"), null, isEnd);
  return item.lanes.reduce((state, lane) => (lane.hold?.reason === "releasing" ? relabel(state, lane.endpoint) : state), item);
}

/** The session still ends; the checkout stays. */
function relabel(item: ItemState, endpoint: RefText): ItemState {
  const hold = item.sessions.some((session) => session.endpoint === endpoint && session.status === "closing") ? ({ reason: "ending", until: null, detail: details.ending } as const) : null;
  return hold === null ? openLanes(item, endpoint, isEnd) : holdLane(item, endpoint, hold);
}

function isEnd({ reason }: Hold): boolean {
  return reason === "ending" || reason === "releasing";
}

function deferring(item: ItemState, closeDeferred: boolean): ItemState {
  return item.workItem === null || item.workItem.closeDeferred === closeDeferred ? item : { ...item, workItem: { ...item.workItem, closeDeferred } };
}

