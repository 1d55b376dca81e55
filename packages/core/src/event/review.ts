import type { JsonObject } from "./parse-payload.ts";
import { isJsonObject } from "./parse-payload.ts";
import { isId } from "./fields.ts";
import { readActor } from "./actor.ts";
import { activity, Commenting } from "./happening.ts";
import { readPullRequest } from "./items.ts";
import { LazyComment } from "./lazy-parts.ts";
import { reviewMoment } from "./moment.ts";
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
  return new Commenting(
    arrival,
    payload,
    actor,
    reviewMoment,
    item,
    "review",
    action === "submitted" ? "created" : "edited",
    new LazyComment(raw, "review"),
  );
}
