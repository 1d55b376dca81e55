import { standingOf } from "../control/authority.ts";
import type { Actor } from "../event/event.ts";
import type { LinkPolicy } from "./questions.ts";
import type { ItemState } from "../work-item/records.ts";
import type { KnownAuthor } from "./lookups.ts";

/** Where a pull request comes from, as far as anybody knows: null where nobody does. */
export type PullOrigin = {
  readonly fork: boolean | null;
  readonly author: Actor | null;
  readonly known: KnownAuthor | null;
};

/**
 * Whether a pull request that nobody recorded may count for a work item. Anybody can open one from
 * a fork, so that its words alone must not lead others' words to a session: its head lives in the
 * repository itself, which takes the right to write, or its author is authorized, a collaborator
 * of that very item, or the login of the service's token.
 */
export function isVouchedFor(
  { fork, author, known }: PullOrigin,
  policy: Pick<LinkPolicy, "trustForkBranches" | "authorizedUsers">,
  { collaborators }: Pick<ItemState, "collaborators">,
): boolean {
  if (policy.trustForkBranches || fork === false) return true;
  if (author === null || known === null) return false;
  return known.own || standingOf(author, known.pinned, policy, collaborators).why === null;
}
