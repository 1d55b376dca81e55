import { type EventLine, evolve, type Hold, type ItemState, type Next, type Recorded, type Session } from "@loopwork/core";
import type { OutboxEffect, Settled, TakenLane } from "@loopwork/core/ports";
import { eventLine } from "../event-line.ts";
import type { RuntimeParts } from "../parts.ts";
import { refOf } from "./session.ts";

/** Turns what core decided about an attempt into the one write that ends it. */
export function settledBy(next: Next, taken: TakenLane, session: Session | null, parts: RuntimeParts): Settled {
  const recorded = recordedBy(next, taken, session, parts.clock.now());
  return {
    ...next.turn,
    fold: (item) => recorded.reduce(evolve, item),
    effects: noticeOf(next.notice, taken, next.hold),
    lines: next.lines.map((line): EventLine => ({ ...eventLine(parts, line.kind, { level: line.level, workItem: taken.turn.workItem, delivery: taken.turn.inputs.at(-1)?.deliveryId ?? null, reason: line.reason, fields: { turn: taken.turn.id, ...line.fields } }) })),
  };
}

/** A turn that could not even begin: its lane waits, and the thread says why once. */
export function settledByHold(hold: Hold, notice: string | null, taken: TakenLane, parts: RuntimeParts): Settled {
  const endpoint = refOf(taken.turn.lane);
  return {
    state: "ready",
    note: hold.detail,
    next: taken.turn.next,
    notBefore: 0,
    fold: (item) => evolve(item, { kind: "lane-held", endpoint, hold }),
    effects: noticeOf(notice, taken, hold),
    lines: [eventLine(parts, "lane.held", { level: "warn", workItem: taken.turn.workItem, reason: hold.reason, fields: { turn: taken.turn.id, detail: hold.detail } })],
  };
}

/** In the order in which they happened: the conversation first, then the turn, then the hold. */
function recordedBy(next: Next, taken: TakenLane, session: Session | null, at: number): readonly Recorded[] {
  const endpoint = refOf(taken.turn.lane);
  const ended = next.turn.state === "done" || next.turn.state === "failed";
  return [
    ...(next.sessionBegun === true && session !== null && !session.begun ? [{ kind: "session-begun", endpoint } as const] : []),
    ...(next.newSession ? [{ kind: "session-lost", endpoint } as const] : []),
    ...(ended ? [{ kind: "turn-ended", endpoint, outcome: next.turn.state, usd: next.spend.usd, minutes: next.spend.minutes, at } as const] : []),
    ...(next.hold === null ? [] : [{ kind: "lane-held", endpoint, hold: next.hold } as const]),
  ];
}

/** One notice for a hold: a lane that was held for the same reason before is not told again. */
function noticeOf(notice: string | null, taken: TakenLane, hold: Hold | null): readonly OutboxEffect[] {
  if (notice === null || (hold !== null && holdOf(taken.item, taken.turn.lane)?.reason === hold.reason)) return [];
  return [{ kind: "reply", thread: refOf(taken.turn.workItem), text: notice }];
}

export function holdOf(item: ItemState, lane: string): Hold | null {
  return item.lanes.find((each) => each.endpoint === lane)?.hold ?? null;
}
