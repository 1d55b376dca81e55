import type { Policy } from "../decide/policy.ts";
import type { Reason } from "../decide/reason.ts";
import type { State } from "../decide/state.ts";
import type { InboundEvent } from "../normalise/event.ts";
import type { Collaborator } from "../work-item/records.ts";
import {
  type Account,
  accountName,
  isListed,
  isListedAs,
  personCalled,
  sameAccount,
} from "../accounts/account.ts";
import type { Authority } from "./authority-type.ts";

/**
 * What the actor may do, and why no more than that; `why` is null for those who may steer or speak,
 * and for CI.
 */
export type Standing = { readonly authority: Authority; readonly why: Reason | null };

const authorized: Standing = { authority: "authorized", why: null };
const collaborator: Standing = { authority: "collaborator", why: null };
const nobody: Standing = { authority: "none", why: null };
const strangers = {
  "stranger-dropped": { authority: "stranger", why: "stranger-dropped" },
  "actor-not-author": { authority: "stranger", why: "actor-not-author" },
  "actor-id-mismatch": { authority: "stranger", why: "actor-id-mismatch" },
  "bot-not-listed": { authority: "stranger", why: "bot-not-listed" },
} as const satisfies Record<string, Standing>;

/**
 * Authority of an event's actor (docs/security.md). It is judged by `sender` alone, and nothing
 * that a stranger wrote is read before or after it.
 *
 * - CI events have no actor. Control deliveries come from this machine and act as the operator.
 * - The sender of a comment or review must be its author.
 * - Bots count only when listed by their name, and never as collaborators.
 * - A login that was pinned to another id, or that comes without one, is somebody else; an id that
 *   was pinned is the same account under whatever login.
 */
export function authorityOf(
  event: InboundEvent,
  state: Pick<State, "item" | "pinnedActorId" | "pinnedAs">,
  policy: Policy,
): Standing {
  if (event.kind === "ci") return nobody;
  if (event.kind === "control")
    return event.source === "cli" || event.source === "api"
      ? authorized
      : strangers["stranger-dropped"];
  const { actor } = event;
  if (actor === null) return strangers["stranger-dropped"];
  const standing = standingOf(
    actor,
    { id: state.pinnedActorId, as: state.pinnedAs ?? [] },
    policy,
    state.item.collaborators,
  );
  if (standing.why !== null && standing.why !== "actor-id-mismatch") return standing;
  if (
    event.kind === "comment" &&
    (event.comment.author === null || !sameAccount(actor, event.comment.author))
  )
    return strangers["actor-not-author"];
  return standing;
}

/** What is pinned of an account: the id of its name, null for none, and the names of its id. */
export type Pinned = { readonly id: string | null; readonly as: readonly string[] };

export const nothingPinned: Pinned = { id: null, as: [] };

/** Ids by the names of accounts that were seen with authority. */
export type Pins = ReadonlyMap<string, string>;

export function pinnedIn(pins: Pins, account: Account): Pinned {
  const as =
    account.id === null ? [] : [...pins].flatMap(([name, id]) => (id === account.id ? [name] : []));
  return { id: pins.get(accountName(account)) ?? null, as };
}

/**
 * Authority of an account by lists and grants: by its id where that is pinned, else by its login.
 */
export function standingOf(
  account: Account,
  pinned: Pinned,
  { authorizedUsers }: Pick<Policy, "authorizedUsers">,
  collaborators: readonly Collaborator[],
): Standing {
  if (isListedAs(account, pinned.as, authorizedUsers)) return authorized;
  const isElse = pinned.id !== null && pinned.id !== account.id;
  if (isListed(account, authorizedUsers))
    return isElse ? strangers["actor-id-mismatch"] : authorized;
  if (account.bot) return strangers["bot-not-listed"];
  const grants = collaborators.map((grant) => ({ ...personCalled(grant.login), id: grant.id }));
  if (grants.some((grant) => isGranted(account, grant, pinned))) return collaborator;
  return grants.some((grant) => sameAccount(personCalled(account.login), { ...grant, id: null }))
    ? strangers["actor-id-mismatch"]
    : strangers["stranger-dropped"];
}

/**
 * A grant that knows the id holds for that id; one that doesn't, for the login and for the id to
 * which that is pinned.
 */
function isGranted(account: Account, grant: Account, { id, as }: Pinned): boolean {
  if (grant.id !== null) return account.id === grant.id;
  if (as.includes(accountName(grant))) return true;
  return (id === null || id === account.id) && sameAccount(account, grant);
}
