import { foldName } from "../accounts/fold-name.ts";
import type { InboundEvent, Repository } from "../normalise/event.ts";
import { fullName } from "../work-item/repository-names.ts";
import type { Policy } from "./policy.ts";
import type { Reason } from "./reason.ts";

/**
 * Why the configuration alone turns an event away, so that nothing needs to be looked up for it;
 * null when it may go on.
 */
export function turnedAway(event: InboundEvent, policy: Policy): Reason | null {
  if (!policy.enabled) return "routing-disabled";
  if (event.event !== "control" && !policy.events.has(event.event)) return "event-not-listed";
  if (policy.repositories.size > 0 && !isListed(event.repository, policy))
    return "repository-not-listed";
  return null;
}

/**
 * Under the name that it has now, or the one by which it is known here: a rename alone does not end
 * a listing.
 */
function isListed(repository: Repository, { repositories }: Policy): boolean {
  return (
    repositories.has(foldName(fullName(repository))) ||
    repositories.has(foldName(`${repository.owner}/${repository.name}`))
  );
}
