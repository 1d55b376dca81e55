import { isJsonObject, type JsonObject } from "../delivery/admit.ts";
import { idText, itemNumber, time } from "../normalise/fields.ts";
import { sameName } from "../work-item/ref.ts";
import { senderOf } from "./changes.ts";
import { about, type Happening, type Subject } from "./happening.ts";
import { type Change, rewind } from "./rewind.ts";

/** A comment of a listing, on the conversation or on a diff. */
export type ListedComment = { readonly surface: "conversation" | "diff"; readonly id: string; readonly number: number; readonly createdAt: string; readonly updatedAt: string; readonly raw: JsonObject };

/** Reads one entry; null for what does not fit. Where it stands is told only by an address. */
export function readComment(surface: ListedComment["surface"], raw: unknown): ListedComment | null {
  if (!isJsonObject(raw)) return null;
  const number = lastNumber(raw[surface === "diff" ? "pull_request_url" : "issue_url"]);
  const [id, createdAt, updatedAt] = [idText(raw["id"]), time(raw["created_at"]), time(raw["updated_at"])];
  return id === null || number === null || createdAt === null ? null : { surface, id, number, createdAt, updatedAt: updatedAt ?? createdAt, raw };
}

/**
 * The webhook for a comment. A listing shows only what it says now: one that may have been changed since it was written
 * carries `editedNode`, and counts as an edit by nobody until `settleEdit` hears who changed it. An edit never executes a
 * keyword, whoever made it (P04), and somebody else's words under an author's name never count as the author's.
 */
export function commentHappening(comment: ListedComment, subject: Subject, changes: readonly Change[]): Happening {
  const created = write(comment, subject, changes, "created");
  if (comment.updatedAt === comment.createdAt) return created;
  const node = comment.raw["node_id"];
  return { ...write(comment, subject, changes, "edited"), editedNode: typeof node === "string" ? node : null };
}

/** Who changed a text: `null` when nobody ever did, `unknown` when the host cannot be asked. */
export type Editor = { readonly login: string } | null | "unknown";

/** A comment that was in doubt, once it is known who changed it. Others are as they were. */
export function settleEdit(happening: Happening, comment: ListedComment, subject: Subject, changes: readonly Change[], editor: Editor): Happening {
  if (editor === "unknown") return happening;
  if (editor === null) return write(comment, subject, changes, "created");
  const { user } = comment.raw;
  const byAuthor = isJsonObject(user) && typeof user["login"] === "string" && sameName(user["login"], editor.login);
  return { ...happening, payload: { ...happening.payload, ...senderOf(byAuthor ? user : { login: editor.login }) } };
}

function write(comment: ListedComment, subject: Subject, changes: readonly Change[], action: "created" | "edited"): Happening {
  const { surface, id, raw, number } = comment;
  // A comment of a diff is made when its review is begun, and seen by others when that is submitted.
  const at = action === "edited" || surface === "diff" ? comment.updatedAt : comment.createdAt;
  const item = rewind(subject.item, changes, { at, id: null });
  const name = surface === "diff" ? `diff-comment:${id}` : `comment:${id}`;
  return {
    event: surface === "diff" ? "pull_request_review_comment" : "issue_comment",
    payload: { action, comment: raw, ...(surface === "diff" ? about(subject, item) : { issue: item, repository: subject.repository }), ...(action === "created" ? senderOf(raw["user"]) : {}) },
    identity: action === "created" ? `${name}:created` : `${name}:edited:${at}`,
    at,
    kind: "comment",
    number,
    current: subject.item,
    editedNode: null,
  };
}

/** The webhook for a review that was submitted; null for one that is pending, dismissed, or does not fit. */
export function reviewHappening(raw: unknown, subject: Subject, changes: readonly Change[]): Happening | null {
  if (!isJsonObject(raw)) return null;
  const [id, at] = [idText(raw["id"]), time(raw["submitted_at"])];
  const state = typeof raw["state"] === "string" ? raw["state"].toLowerCase() : "";
  if (id === null || at === null || state === "pending" || state === "dismissed") return null;
  const item = rewind(subject.item, changes, { at, id: null });
  const payload = { action: "submitted", review: { ...raw, state }, ...about(subject, item), ...senderOf(raw["user"]) };
  return { event: "pull_request_review", payload, identity: `review:${id}:submitted`, at, kind: "comment", number: subject.number, current: subject.item, editedNode: null };
}

/** The number at the end of an address of the host. */
function lastNumber(address: unknown): number | null {
  if (typeof address !== "string") return null;
  const tail = address.slice(address.lastIndexOf("/") + 1);
  return tail.length > 0 && tail.length <= 10 ? itemNumber(Number(tail)) : null;
}
