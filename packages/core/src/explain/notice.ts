import type { Words } from "../control/reason-sentences.ts";
import type { EventKind, StoredEvent } from "../event-log/event-line.ts";
import { type PlainText, plainLine } from "../message/plain.ts";
import { eventSentence } from "./event-sentence.ts";

/** Changes of which somebody can be told (`notify[].on`). */
export type NoticeKind = "held" | "uncertain" | "waiting" | "failed";

/**
 * One change, as it is told: facts and one sentence, no words of people. `time` is milliseconds
 * since 1970.
 */
export type Notice = {
  readonly change: NoticeKind;
  readonly time: number;
  readonly instance: string;
  readonly workItem: string | null;
  readonly reason: PlainText | null;
  readonly sentence: PlainText;
  readonly event: number;
};

/**
 * Holds that somebody made, that end by themselves within minutes, or that another line tells of.
 */
const untold: ReadonlySet<string> = new Set([
  "paused",
  "attached",
  "backoff",
  "uncertain",
  "failed",
]);

const changes: { readonly [K in EventKind]?: NoticeKind } = {
  "turn.uncertain": "uncertain",
  "turn.failed": "failed",
  "effect.stuck": "failed",
  "session.asked": "waiting",
  "graph.waits": "waiting",
  "lane.held": "held",
};

/**
 * What a line of the event log means to somebody who is to be told; null for most. Each change has
 * one line, so each is told once.
 */
export function noticeOf(event: StoredEvent, words: Words): Notice | null {
  const change =
    event.kind === "delivery.decided" && event.reason === "closed-by-unauthorized"
      ? "waiting"
      : changes[event.kind];
  if (change === undefined || (event.kind === "lane.held" && untold.has(event.reason ?? "")))
    return null;
  const { time, instance, workItem, reason, id } = event;
  return {
    change,
    time,
    instance,
    workItem,
    reason: reason === null ? null : plainLine(reason),
    sentence: eventSentence(event, words),
    event: id,
  };
}
