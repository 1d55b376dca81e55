import type { JsonObject } from "../delivery/admit.ts";
import { isJsonObject } from "../delivery/admit.ts";
import type { Actor, Comment, CommentEvent, Item } from "./event.ts";
import { idText, prose, readActor, readIssue, readPullRequest, text, time } from "./fields.ts";
import { activity } from "./item-event.ts";
import type { Arrival, Understood } from "./normalise.ts";

/** `issue_comment`: the conversation of an issue or of a pull request (service.md 6.1). */
export function normaliseIssueComment(arrival: Arrival, payload: JsonObject): Understood {
  const item = readIssue(payload["issue"]);
  return item === null ? null : commentOn(arrival, payload, item, "conversation");
}

/** `pull_request_review_comment`: a comment on a line or file of a diff. */
export function normaliseDiffComment(arrival: Arrival, payload: JsonObject): Understood {
  const item = readPullRequest(payload["pull_request"]);
  return item === null ? null : commentOn(arrival, payload, item, "diff");
}

export function commentEvent(arrival: Arrival, actor: Actor | null, item: Item, surface: CommentEvent["surface"], change: CommentEvent["change"], at: string | null, key: string, comment: Comment): CommentEvent {
  return {
    kind: "comment",
    deliveryId: arrival.deliveryId,
    source: arrival.source,
    event: arrival.event,
    action: arrival.action,
    repository: arrival.repository,
    actor,
    at,
    key,
    item,
    surface,
    change,
    comment,
  };
}

function commentOn(arrival: Arrival, payload: JsonObject, item: Item, surface: "conversation" | "diff"): Understood {
  const raw = payload["comment"];
  if (!isJsonObject(raw)) return null;
  const actor = readActor(payload["sender"]);
  const id = idText(raw["id"]);
  if (id === null) return null;
  const createdAt = time(raw["created_at"]);
  const updatedAt = time(raw["updated_at"]);
  const name = surface === "diff" ? `diff-comment:${id}` : `comment:${id}`;
  const line = raw["line"];
  const comment: Comment = {
    id,
    body: prose(raw["body"]),
    author: readActor(raw["user"]),
    url: text(raw["html_url"]),
    createdAt,
    reviewState: null,
    path: surface === "diff" ? text(raw["path"]) : null,
    line: surface === "diff" && typeof line === "number" ? line : null,
  };
  switch (arrival.action) {
    case "created":
      return commentEvent(arrival, actor, item, surface, "created", createdAt, `${name}:created`, comment);
    case "edited":
      return commentEvent(arrival, actor, item, surface, "edited", updatedAt, `${name}:edited:${updatedAt ?? arrival.deliveryId}`, comment);
    case "deleted":
      return commentEvent(arrival, actor, item, surface, "deleted", updatedAt, `${name}:deleted`, comment);
    default:
      return activity(arrival, actor, item, updatedAt, `${name}:${arrival.action}:${updatedAt ?? arrival.deliveryId}`);
  }
}
