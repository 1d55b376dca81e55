import type { JsonObject } from "./parse-payload.ts";
import { readIssue } from "./read-item.ts";
import { itemEvent } from "./item-event.ts";
import type { Arrival, Understood } from "./normalise.ts";

/**
 * `issues`. A body that also shows a comment belongs to another event, all of whose actions are
 * these.
 */
export function normaliseIssue(arrival: Arrival, payload: JsonObject): Understood {
  if (payload["comment"] !== undefined) return null;
  const item = readIssue(payload["issue"]);
  return item === null ? null : itemEvent(arrival, payload, item);
}
