import { authorityOf } from "../control/authority.ts";
import type { InboundEvent } from "../normalise/event.ts";
import { opensByResumeAlone } from "../dispatch/harness-hold.ts";
import { emptyItemState, type ItemState } from "../work-item/records.ts";
import { formatRef, type RefText } from "../work-item/ref.ts";
import type { Decision } from "./decision.ts";
import type { DecidedFact, Recorded } from "./effect.ts";
import { foldDecision } from "./fold-decision.ts";
import { emptyRecord } from "./fold-item.ts";
import { holdLane, openLanes } from "./fold-lanes.ts";
import { dropEndedSessions, linkPullRequest, openSession, updateSession } from "./fold-sessions.ts";
import { itemIn } from "./item-view.ts";
import { hasLabel } from "./telling.ts";
import type { Policy } from "./policy.ts";
import type { State } from "./state.ts";

/** What is known of a work item about which nothing is known. */
export const initialItemState: ItemState = emptyItemState;

/**
 * Folds what happened into the state of a work item. The one reducer of ingest, dispatch, replay
 * and simulation: total, without configuration or clock, and what a record does not concern stays
 * the same object.
 */
export function evolve(item: ItemState, recorded: Recorded): ItemState {
  switch (recorded.kind) {
    case "decided":
      return foldDecision(item, recorded);
    case "session-opened":
      return openSession(withRecord(item, formatRef(recorded.endpoint)), recorded);
    case "session-begun":
      return updateSession(item, recorded.endpoint, { begun: true });
    case "session-sandboxed":
      return updateSession(item, recorded.endpoint, { sandboxed: true });
    case "session-lost":
      return updateSession(item, recorded.endpoint, { status: "lost" });
    case "session-closed":
      return openLanes(
        updateSession(item, recorded.endpoint, { status: "closed" }),
        formatRef(recorded.endpoint),
        ({ reason }) => reason === "ending",
      );
    case "asked":
      return updateSession(item, recorded.endpoint, {
        asked: recorded.text === null ? null : { text: recorded.text, at: recorded.at },
      });
    case "turn-ended":
      return spent(item, recorded.usd, recorded.minutes);
    case "lane-held":
      return isOutdated(item, recorded)
        ? item
        : holdLane(item, formatRef(recorded.endpoint), recorded.hold);
    case "lane-opened":
      return openLanes(
        item,
        formatRef(recorded.endpoint),
        ({ reason }) => reason !== "ending" && reason !== "releasing" && reason !== "paused",
      );
    case "pull-request-linked":
      return linkPullRequest(withRecord(item, formatRef(recorded.workItem)), recorded);
    case "released":
      // The portable record stays, machine-local ones go; a start that came meanwhile may begin
      // now.
      return openLanes(dropEndedSessions(item), null, ({ reason }) => reason === "releasing");
    case "posted":
    case "nothing":
      return item;
  }
}

/**
 * The fact that a decision was made, with what the reducer must not look up: the label as
 * configured, the instance, the time.
 */
export function decidedFact(
  event: InboundEvent,
  decision: Decision,
  state: State,
  policy: Policy,
): DecidedFact {
  const item = itemIn(event);
  const labelled = item === null ? null : hasLabel(item.labels, policy.autoExecuteLabel);
  const { authority } = authorityOf(event, state, policy);
  return {
    kind: "decided",
    event,
    decision,
    target: state.target,
    authority,
    labelled,
    instance: policy.instance.name,
    at: state.now,
  };
}

/**
 * Whether a person has asked for another look since it was found that the harness cannot work.
 * Nothing else would open the lane again, and who said `resume` in that moment was told that
 * nothing waits.
 */
function isOutdated(
  { workItem }: ItemState,
  { hold, foundUnder }: Extract<Recorded, { kind: "lane-held" }>,
): boolean {
  return (
    foundUnder !== undefined &&
    opensByResumeAlone(hold) &&
    (workItem?.steered ?? null) !== foundUnder
  );
}

/** A session or a link may be the first thing that is recorded of an item. */
function withRecord(item: ItemState, ref: RefText): ItemState {
  return item.workItem === null ? { ...item, workItem: emptyRecord(ref) } : item;
}

/** Spend only grows; an impossible figure counts as nothing. */
function spent(item: ItemState, usd: number, minutes: number): ItemState {
  if (item.workItem === null) return item;
  const { spend } = item.workItem;
  return {
    ...item,
    workItem: {
      ...item.workItem,
      spend: {
        turns: spend.turns + 1,
        usd: spend.usd + sane(usd),
        minutes: spend.minutes + sane(minutes),
      },
    },
  };
}

function sane(amount: number): number {
  return Number.isFinite(amount) && amount > 0 ? amount : 0;
}
