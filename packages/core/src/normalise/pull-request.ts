import type { JsonObject } from "../delivery/admit.ts";
import { isJsonObject } from "../delivery/admit.ts";
import { readPullRequest } from "./fields.ts";
import { itemEvent } from "./item-event.ts";
import type { Arrival, Understood } from "./normalise.ts";

/** `pull_request`. A body that also shows a review, a comment or a thread belongs to another event (R05). */
export function normalisePullRequest(arrival: Arrival, payload: JsonObject): Understood {
  const raw = payload["pull_request"];
  if (!isJsonObject(raw) || payload["review"] !== undefined || payload["comment"] !== undefined || payload["thread"] !== undefined) return null;
  const item = readPullRequest(raw);
  return item === null ? null : itemEvent(arrival, payload, item, raw);
}
