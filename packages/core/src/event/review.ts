import type { JsonObject } from "./parse-payload.ts";
import { isJsonObject } from "./parse-payload.ts";
import { isId } from "./fields.ts";
import { readActor } from "./actor.ts";
import { activity, commenting } from "./build-events.ts";
import { readPullRequest } from "./read-item.ts";
import { commentFields } from "./comment-fields.ts";
import { reviewMoment } from "./event-key.ts";
import type { Arrival, Understood } from "./normalise.ts";

/**
 * `pull_request_review`: its text counts as a comment. A dismissal is no deletion, the words stay:
 * mere activity.
 */
export function normaliseReview(arrival: Arrival, payload: JsonObject): Understood {
  const item = readPullRequest(payload["pull_request"]);
  const raw = payload["review"];
  if (item === null || !isJsonObject(raw) || !isId(raw["id"])) return null;
  const actor = readActor(payload["sender"]);
  const { action } = arrival;
  if (action !== "submitted" && action !== "edited")
    return activity(arrival, payload, actor, reviewMoment, item);
  return commenting(
    arrival,
    payload,
    actor,
    reviewMoment,
    item,
    "review",
    action === "submitted" ? "created" : "edited",
    commentFields(raw, "review"),
  );
}
