import type { JsonObject } from "./parse-payload.ts";
import { itemEvent } from "./item-event.ts";
import { readPullRequest } from "./read-item.ts";
import type { Arrival, Understood } from "./normalise.ts";

/**
 * `pull_request`. A body that also shows a review, a comment or a thread belongs to another event.
 */
export function normalisePullRequest(arrival: Arrival, payload: JsonObject): Understood {
  if (
    payload["review"] !== undefined ||
    payload["comment"] !== undefined ||
    payload["thread"] !== undefined
  )
    return null;
  const item = readPullRequest(payload["pull_request"]);
  return item === null ? null : itemEvent(arrival, payload, item);
}
