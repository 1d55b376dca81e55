import type { JsonObject } from "../delivery/admit.ts";
import { isJsonObject } from "../delivery/admit.ts";
import { commentEvent } from "./comment.ts";
import type { Comment } from "./event.ts";
import { idText, prose, readActor, readPullRequest, text, time } from "./fields.ts";
import { activity } from "./item-event.ts";
import type { Arrival, Understood } from "./normalise.ts";

/** `pull_request_review`: its text counts as a comment. A dismissal is no deletion, the words stay: mere activity. */
export function normaliseReview(arrival: Arrival, payload: JsonObject): Understood {
  const item = readPullRequest(payload["pull_request"]);
  const raw = payload["review"];
  if (item === null || !isJsonObject(raw)) return null;
  const id = idText(raw["id"]);
  if (id === null) return null;
  const actor = readActor(payload["sender"]);
  const state = raw["state"];
  const submittedAt = time(raw["submitted_at"]);
  const comment: Comment = {
    id,
    body: prose(raw["body"]),
    author: readActor(raw["user"]),
    url: text(raw["html_url"]),
    createdAt: submittedAt,
    // Payloads write it small, the API in capitals.
    reviewState: typeof state === "string" ? state.toLowerCase() : null,
    path: null,
    line: null,
  };
  const changedAt = time(raw["updated_at"]) ?? item.updatedAt;
  switch (arrival.action) {
    case "submitted":
      return commentEvent(arrival, actor, item, "review", "created", submittedAt, `review:${id}:submitted`, comment);
    case "edited":
      return commentEvent(arrival, actor, item, "review", "edited", changedAt, `review:${id}:edited:${changedAt ?? arrival.deliveryId}`, comment);
    default:
      return activity(arrival, actor, item, changedAt, `review:${id}:${arrival.action}:${changedAt ?? arrival.deliveryId}`);
  }
}
