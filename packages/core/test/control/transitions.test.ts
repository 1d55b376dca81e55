import { describe, expect, it } from "vitest";
import { type Condition, type Transition, transitions } from "../../src/control/transitions.ts";
import { consequences } from "../../src/decide/consequences.ts";
import type { InboundEvent } from "../../src/event/event.ts";
import {
  activityEvent,
  closedEvent,
  commentEvent,
  issueOf,
  mallory,
} from "../../src/testing/build-event.ts";
import { issueRef, itemOf, laneOf, sessionOf, targetOf } from "../../src/testing/build-state.ts";
import { decidedAs } from "../../src/testing/decided-as.ts";
import { type Given, given } from "../../src/testing/given.ts";
import {
  type ControlStatus,
  emptyItemState,
  type Hold,
  type ItemState,
} from "../../src/work-item/records.ts";

/**
 * A keyword is refused aloud, a closing is remembered; reopening what was not closed is told like
 * any activity.
 */
function illegalAs({ move, from, why }: Transition): string {
  if (move === "close" || move === "defer") return `noted: ${why}`;
  if (move !== "reopen") return `refused: ${why}`;
  return {
    idle: "refused: not-started",
    started: "delivered: activity-of-session",
    paused: "delivered: activity-of-session",
    stopped: "noted: not-running",
    closed: "",
  }[from];
}

const held = (reason: "budget" | "uncertain"): Hold => ({ reason, until: null, detail: "" });

/** An item in the row's status, as the row's condition wants it. */
function itemFor({ move, from, when }: Transition): ItemState {
  const before = beforeOf(when);
  const work = from === "started" || from === "paused";
  const hold =
    when === "lanes-held"
      ? held("budget")
      : when === "lanes-uncertain"
        ? held("uncertain")
        : from === "paused"
          ? ({ reason: "paused", until: null, detail: "" } as const)
          : null;
  // An idle item has a session where one was registered by hand; only a closing asks for that.
  const sessions =
    from === "idle" && (move === "reopen" || when === "no-session")
      ? []
      : [sessionOf({ status: work || from === "idle" ? "active" : "closed" })];
  return itemOf(from, {
    sessions,
    lanes: sessions.length === 0 ? [] : [laneOf(issueRef, hold)],
    control: from === "paused" || from === "closed" ? { before } : {},
    ...(when === "unconfirmed" ? { workItem: { hostId: null } } : {}),
  });
}

const beforeOf = (when: Condition): ControlStatus =>
  when === "was-started"
    ? "started"
    : when === "was-paused"
      ? "paused"
      : when === "was-stopped"
        ? "stopped"
        : "idle";

function givenFor(row: Transition): Given {
  const target = targetOf(row.when === "unconfirmed" ? { provenance: "head-branch" } : {});
  return given(
    { item: itemFor(row), target },
    { spawnOnUnmatched: row.when === "spawning-off" ? "never" : "labeled" },
  );
}

/** The move as it comes from the host. */
function eventFor({ move, from, when }: Transition): InboundEvent {
  const open = when !== "shown-closed";
  const later = "2026-03-01T12:05:00Z";
  const item = issueOf({
    open,
    updatedAt: later,
    labels: when === "unarmed" ? [] : ["loop: auto-execute"],
  });
  if (move === "close") return closedEvent({ item });
  if (move === "defer") return closedEvent({ item, by: mallory });
  if (move === "reopen") return activityEvent({ action: "reopened", item });
  return commentEvent(`loop ${move}`, {
    item: from === "closed" && when === "always" ? issueOf({ updatedAt: later }) : item,
    comment: { createdAt: later },
  });
}

describe("every row of the lifecycle's table, by the real decide and evolve", () => {
  it.each(transitions)("$id", (row) => {
    const outcome = givenFor(row).when(eventFor(row));
    expect([outcome.says, outcome.after.workItem?.control.status]).toEqual(
      row.to === null ? [illegalAs(row), row.from] : [decidedAs[row.move], row.to],
    );
    const kinds = outcome.decision.effects
      .map(({ kind }) => kind)
      .filter((kind) => kind !== "react" && kind !== "reply");
    const toEnd = itemFor(row).lanes.length > 0;
    const due =
      row.to === null
        ? []
        : consequences[row.move].filter((kind) => toEnd || kind === "turn" || kind === "release");
    if (row.move !== "reopen") expect([...new Set(kinds)]).toEqual(due);
  });

  it("of an item of which nothing is known and that is not armed, closing leaves no record", () => {
    expect(
      given({ item: emptyItemState }).when(
        closedEvent({ item: issueOf({ open: false, labels: [] }) }),
      ),
    ).toMatchObject({ says: "ignored: close-without-session", after: emptyItemState });
  });
});
