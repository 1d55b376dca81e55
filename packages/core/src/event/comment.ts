import type { JsonObject } from "./parse-payload.ts";
import { isJsonObject } from "./parse-payload.ts";
import { readActor } from "./actor.ts";
import type { Item } from "./event.ts";
import { isId } from "./fields.ts";
import { activity, commenting } from "./build-events.ts";
import { readIssue, readPullRequest } from "./read-item.ts";
import { commentFields } from "./comment-fields.ts";
import { commentMoment } from "./event-key.ts";
import type { Arrival, Understood } from "./normalise.ts";

/** `issue_comment`: the conversation of an issue or of a pull request. */
export function normaliseIssueComment(arrival: Arrival, payload: JsonObject): Understood {
  const item = readIssue(payload["issue"]);
  return item === null ? null : commentOn(arrival, payload, item, "conversation");
}

/** `pull_request_review_comment`: a comment on a line or file of a diff. */
export function normaliseDiffComment(arrival: Arrival, payload: JsonObject): Understood {
  const item = readPullRequest(payload["pull_request"]);
  return item === null ? null : commentOn(arrival, payload, item, "diff");
}

function commentOn(
  arrival: Arrival,
  payload: JsonObject,
  item: Item,
  surface: "conversation" | "diff",
): Understood {
  const raw = payload["comment"];
  if (!isJsonObject(raw) || !isId(raw["id"])) return null;
  const actor = readActor(payload["sender"]);
  const { action } = arrival;
  if (action !== "created" && action !== "edited" && action !== "deleted")
    return activity(arrival, payload, actor, commentMoment, item);
  return commenting(
    arrival,
    payload,
    actor,
    commentMoment,
    item,
    surface,
    action,
    commentFields(raw, surface),
  );
}
