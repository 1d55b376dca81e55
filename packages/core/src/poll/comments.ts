import type { Account } from "../accounts/account.ts";
import { isBefore } from "../text/instant.ts";
import { isJsonObject, type JsonObject } from "../event/parse-payload.ts";
import { idText, itemNumber, time } from "../event/fields.ts";
import { named, senderOf } from "./changes.ts";
import { about, type Happening, type PolledItem } from "./happening.ts";
import { type Change, rewind } from "./item-as-of.ts";

/** A comment of a listing, on the conversation or on a diff, or a review with what it says. */
export type ListedComment = {
  readonly surface: "conversation" | "diff" | "review";
  readonly id: string;
  readonly number: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly raw: JsonObject;
};

/** Reads one entry; null for what does not fit. Where it stands is told only by an address. */
export function readComment(surface: "conversation" | "diff", raw: unknown): ListedComment | null {
  if (!isJsonObject(raw)) return null;
  const number = lastNumber(raw[surface === "diff" ? "pull_request_url" : "issue_url"]);
  const [id, createdAt, updatedAt] = [
    idText(raw["id"]),
    time(raw["created_at"]),
    time(raw["updated_at"]),
  ];
  return id === null || number === null || createdAt === null
    ? null
    : { surface, id, number, createdAt, updatedAt: updatedAt ?? createdAt, raw };
}

/**
 * Reads one entry of a pull request's reviews; null for one that is pending, dismissed, or does not
 * fit.
 */
export function readReview(number: number, raw: unknown): ListedComment | null {
  if (!isJsonObject(raw)) return null;
  const [id, at] = [idText(raw["id"]), time(raw["submitted_at"])];
  const state = typeof raw["state"] === "string" ? raw["state"].toLowerCase() : "";
  return id === null || at === null || state === "pending" || state === "dismissed"
    ? null
    : { surface: "review", id, number, createdAt: at, updatedAt: at, raw: { ...raw, state } };
}

/**
 * The webhook for a comment or a review. A listing shows only what it says now: one that may have
 * been changed since it was written carries `editedNode`, and counts as an edit by nobody until
 * `settleEdit` hears who changed it. An edit never executes a keyword, whoever made it, and
 * somebody else's words under an author's name never count as the author's.
 */
export function commentHappening(
  comment: ListedComment,
  subject: PolledItem,
  changes: readonly Change[],
): Happening {
  const created = write(comment, subject, changes, "created");
  if (!mayBeEdited(comment)) return created;
  const node = comment.raw["node_id"];
  return {
    ...write(comment, subject, changes, "edited"),
    editedNode: typeof node === "string" ? node : null,
  };
}

/** No list tells when a review was changed: every one that says something may have been. */
function mayBeEdited({ surface, createdAt, updatedAt, raw }: ListedComment): boolean {
  return surface === "review"
    ? typeof raw["body"] === "string" && raw["body"] !== ""
    : updatedAt !== createdAt;
}

/**
 * Who changed a text last, and when (ISO 8601): `null` when nobody ever did, `unknown` when the
 * host cannot be asked.
 */
export type LastEditor = { readonly account: Account; readonly at: string } | null | "unknown";

/**
 * A comment or review that was in doubt, once it is known who changed it. Others are as they were.
 */
export function settleEdit(
  happening: Happening,
  comment: ListedComment,
  subject: PolledItem,
  changes: readonly Change[],
  editor: LastEditor,
): Happening {
  if (editor === "unknown") return happening;
  if (editor === null) return write(comment, subject, changes, "created");
  // Edited once more after it was listed: whose words are at hand nobody knows, and the next list
  // shows those of the last edit.
  if (comment.surface !== "review" && isBefore(comment.updatedAt, editor.at)) return happening;
  const edited =
    comment.surface === "review"
      ? write({ ...comment, updatedAt: editor.at }, subject, changes, "edited")
      : happening;
  return {
    ...edited,
    payload: { ...edited.payload, sender: named(editor.account, comment.raw["user"]) },
  };
}

function write(
  comment: ListedComment,
  subject: PolledItem,
  changes: readonly Change[],
  action: "created" | "edited",
): Happening {
  const { surface, id, number } = comment;
  // A comment of a diff is made when its review is begun, and seen by others when that is
  // submitted.
  const at = action === "edited" || surface === "diff" ? comment.updatedAt : comment.createdAt;
  const first = surface === "review" ? "submitted" : "created";
  const sender = action === "created" ? senderOf(comment.raw["user"]) : {};
  return {
    event: events[surface],
    payload: {
      action: action === "created" ? first : action,
      ...written(comment, subject, rewind(subject.item, changes, { at, id: null }), action),
      ...sender,
    },
    identity:
      action === "created"
        ? `${names[surface]}:${id}:${first}`
        : `${names[surface]}:${id}:edited:${at}`,
    at,
    kind: "comment",
    number,
    current: subject.item,
    editedNode: null,
  };
}

const events = {
  conversation: "issue_comment",
  diff: "pull_request_review_comment",
  review: "pull_request_review",
} as const;
const names = { conversation: "comment", diff: "diff-comment", review: "review" } as const;

/** The text and the item on which it stands, in the fields in which each event has them. */
function written(
  { surface, updatedAt, raw }: ListedComment,
  subject: PolledItem,
  item: JsonObject,
  action: "created" | "edited",
): JsonObject {
  switch (surface) {
    case "conversation":
      return { comment: raw, issue: item, repository: subject.repository };
    case "diff":
      return { comment: raw, ...about(subject, item) };
    case "review":
      // Webhooks name the moment of an edit, and the key is made of it.
      return {
        review: action === "edited" ? { ...raw, updated_at: updatedAt } : raw,
        ...about(subject, item),
      };
  }
}

/** The number at the end of an address of the host. */
function lastNumber(address: unknown): number | null {
  if (typeof address !== "string") return null;
  const tail = address.slice(address.lastIndexOf("/") + 1);
  return tail.length <= 10 ? itemNumber(Number(tail)) : null;
}
