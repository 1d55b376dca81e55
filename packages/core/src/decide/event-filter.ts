import type { InboundEvent } from "../normalise/event.ts";
import type { Policy } from "./policy.ts";
import type { Reason } from "./reason.ts";

/** Why the configuration alone turns an event away, so that nothing needs to be looked up for it; null when it may go on (decisions.md 2 and 5). */
export function turnedAway(event: InboundEvent, policy: Policy): Reason | null {
  if (!policy.enabled) return "routing-disabled";
  if (event.event !== "control" && !policy.events.has(event.event)) return "event-not-listed";
  if (policy.repositories.size > 0 && !policy.repositories.has(`${event.repository.owner}/${event.repository.name}`.toLowerCase())) return "repository-not-listed";
  return null;
}
