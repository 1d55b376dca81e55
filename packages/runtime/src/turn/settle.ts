import { endedAs, evolve, type NextStep, type Recorded } from "@loopwork/core";
import {
  type EventLine,
  formatPost,
  type Hold,
  type Message,
  type OutboxEffect,
  outside,
  say,
  type Session,
  type Settled,
  type TakenLane,
  trustedWords,
} from "@loopwork/core/ports";
import { eventLine } from "../event-line.ts";
import type { RuntimeParts } from "../parts.ts";
import { holdAll } from "./budget.ts";
import { holdOf } from "./harness-wide.ts";
import { refOf } from "./session.ts";

/**
 * What the thread is told beside the outcome: whether somebody was told before, and a budget that
 * was reached.
 */
export type Aside = { readonly told: boolean; readonly budget: Hold | null };

/** Turns what core decided about an attempt into the one write that ends it. */
export function settledBy(
  next: NextStep,
  taken: TakenLane,
  session: Session | null,
  aside: Aside,
  parts: RuntimeParts,
): Settled {
  const recorded = recordedBy(next, taken, session, parts.clock.now());
  const { budget } = aside;
  const said = next.lines.map((line): EventLine => ({
    ...eventLine(parts, line.kind, {
      level: line.level,
      workItem: taken.turn.workItem,
      delivery: taken.turn.inputs.at(-1)?.deliveryId ?? null,
      reason: line.reason,
      fields: { turn: taken.turn.id, ...line.fields },
    }),
  }));
  return {
    ...next.turn,
    fold(item) {
      const after = recorded.reduce(evolve, item);
      return budget === null ? after : holdAll(after, budget);
    },
    effects: [
      ...noticeOf(aside.told ? null : next.notice, taken, next.hold),
      ...(budget === null
        ? []
        : reply(
            say`This work item waits: ${trustedWords(budget.detail)}. ${outside(parts.settings().policy.keywords.resume)} grants the same amount again.`,
            taken,
          )),
    ],
    lines: budget === null ? said : [...said, heldLine(budget, taken, parts)],
  };
}

/** A turn that could not even begin: its lane waits, and the thread says why once. */
export function settledByHold(
  hold: Hold,
  notice: Message | null,
  taken: TakenLane,
  parts: RuntimeParts,
): Settled {
  const endpoint = refOf(taken.turn.lane);
  return {
    state: "ready",
    note: hold.detail,
    next: taken.turn.next,
    notBefore: 0,
    fold: (item) =>
      evolve(item, { kind: "lane-held", endpoint, hold, foundUnder: steeredWhen(taken) }),
    effects: noticeOf(notice, taken, hold),
    lines: [heldLine(hold, taken, parts)],
  };
}

function heldLine(hold: Hold, taken: TakenLane, parts: RuntimeParts): EventLine {
  return eventLine(parts, "lane.held", {
    level: "warn",
    workItem: taken.turn.workItem,
    reason: hold.reason,
    fields: { turn: taken.turn.id, until: hold.until, detail: hold.detail },
  });
}

/** In the order in which they happened: the conversation first, then the turn, then the hold. */
function recordedBy(
  next: NextStep,
  taken: TakenLane,
  session: Session | null,
  at: number,
): readonly Recorded[] {
  const endpoint = refOf(taken.turn.lane);
  const ended = endedAs(next);
  return [
    ...(next.sessionBegun === true && session !== null && !session.begun
      ? [{ kind: "session-begun", endpoint } as const]
      : []),
    ...(next.newSession ? [{ kind: "session-lost", endpoint } as const] : []),
    ...(ended !== null
      ? [
          {
            kind: "turn-ended",
            endpoint,
            outcome: ended,
            usd: next.spend.usd,
            minutes: next.spend.minutes,
            at,
          } as const,
        ]
      : []),
    ...(next.hold === null
      ? []
      : [
          { kind: "lane-held", endpoint, hold: next.hold, foundUnder: steeredWhen(taken) } as const,
        ]),
  ];
}

/**
 * The newest control verb when the lane was taken: the attempt, and every question before it, came
 * after it.
 */
function steeredWhen({ item }: TakenLane): string | null {
  return item.workItem?.steered ?? null;
}

/** One notice for a hold: a lane that was held for the same reason before is not told again. */
function noticeOf(
  notice: Message | null,
  taken: TakenLane,
  hold: Hold | null,
): readonly OutboxEffect[] {
  if (
    notice === null ||
    (hold !== null && holdOf(taken.item, taken.turn.lane)?.reason === hold.reason)
  )
    return [];
  return reply(notice, taken);
}

function reply(said: Message, taken: TakenLane): readonly OutboxEffect[] {
  return [{ kind: "reply", thread: refOf(taken.turn.workItem), text: formatPost(said) }];
}
