import type { JsonObject } from "../delivery/admit.ts";
import { isJsonObject } from "../delivery/admit.ts";
import type { Actor } from "./event.ts";
import { readIssue } from "./fields.ts";
import { itemEvent } from "./item-event.ts";
import type { Arrival, Understood } from "./normalise.ts";

/** `issues`. A body that also shows a comment belongs to another event (R05). */
export function normaliseIssue(arrival: Arrival, payload: JsonObject, actor: Actor | null): Understood {
  const raw = payload["issue"];
  if (!isJsonObject(raw) || payload["comment"] !== undefined) return null;
  const item = readIssue(raw);
  return item === null ? null : itemEvent(arrival, payload, actor, item, raw);
}
