import type { CommentEvent, InboundEvent } from "../normalise/event.ts";
import { instantOf } from "./instant.ts";

/**
 * Happenings that come again under one key: a branch that is pushed forth and back and forth, an
 * issue that is reopened twice. Their time cannot stand in the key, because webhooks tell when the
 * host had changed the item, and lists when somebody had asked for it. So the second one under a
 * key is compared with the first, and where it is another it is known as `<key>#2`, and so on
 * (ADR 0008).
 */
export function maybeAgain(event: InboundEvent): boolean {
  return event.kind === "comment"
    ? event.change === "edited"
    : event.kind === "activity" && looselyTimed.has(event.action);
}

const looselyTimed: ReadonlySet<string> = new Set([
  "synchronize",
  "reopened",
  "edited",
  "ready_for_review",
  "converted_to_draft",
  "review_requested",
]);

/**
 * The key under which the n-th happening of an event's key is kept, counted from one. Of very many
 * the times tell them apart.
 */
export function keyOfNth(
  { key, at, deliveryId }: Pick<InboundEvent, "key" | "at" | "deliveryId">,
  n: number,
): string {
  if (n >= mostOfOneKey) return `${key}@${at ?? deliveryId}`;
  return n === 1 ? key : `${key}#${n}`;
}

/** The key under which a comment or review is known that was made, as an edit of it names it. */
export function keyOfCreation({ surface, comment, repository: { host } }: CommentEvent): string {
  const key =
    surface === "review"
      ? `review:${comment.id}:submitted`
      : `${surface === "diff" ? "diff-comment" : "comment"}:${comment.id}:created`;
  return host === null ? key : `${host}/${key}`;
}

/**
 * So many happenings of one key are compared with each other: a description may be edited by a
 * machine for ever.
 */
const mostOfOneKey = 100;

/**
 * Whether an event tells what an earlier one of its key told already. Two webhooks do when they
 * show the same at the same time, as the host's hour has seconds and people may edit twice within
 * one; a list and a webhook do when their times are near each other.
 */
export function isRepetition(event: InboundEvent, earlier: InboundEvent): boolean {
  if (event.kind === "comment" && earlier.kind === "comment")
    return event.comment.body === earlier.comment.body;
  const [at, before] = [instantOf(event.at), instantOf(earlier.at)];
  if (at === null || before === null) return event.deliveryId === earlier.deliveryId;
  if (isListed(event) !== isListed(earlier)) return Math.abs(at - before) <= apartMs;
  return at === before && textOf(event) === textOf(earlier);
}

/** How far what a list says and what a webhook says of one happening may lie apart. */
const apartMs = 2 * 60_000;

/** What the poller made out of a list; what the gap audit brings is a webhook. */
function isListed({ deliveryId }: InboundEvent): boolean {
  return deliveryId.startsWith(polledPrefix);
}

/** With which the ids of the poller's deliveries begin. */
const polledPrefix = "poll-";

function textOf(event: InboundEvent): string {
  return "item" in event && event.action === "edited"
    ? JSON.stringify([event.item.title, event.item.body])
    : "";
}
