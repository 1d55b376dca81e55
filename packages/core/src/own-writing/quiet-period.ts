import { type Account, isListed, sameAccount } from "../accounts/account.ts";
import type { Policy } from "../config/policy.ts";
import type { InboundEvent } from "../event/event.ts";

/** What is known of an event that may be an agent's own words. Milliseconds since 1970. */
export type Overheard = {
  readonly receivedAt: number;
  /** A turn runs now, of whichever work item: nothing keeps an agent's tools to its own. */
  readonly running: boolean;
  /** Account of the service's token; null where nobody knows it. */
  readonly own: Account | null;
};

/**
 * Until when a comment waits to be decided, because a running agent may have posted it with a tool
 * of its own, and the hook that would tell has not yet spoken; null when it need not wait (ADR
 * 0012). Only comments under the operator's login wait: that of the token where its owner may
 * steer. Where the token is a bot's, tools work under the login of somebody who may steer, and
 * nobody knows whose.
 */
export function quietUntil(
  event: InboundEvent,
  { receivedAt, running, own }: Overheard,
  policy: Pick<Policy, "authorizedUsers">,
  quietSeconds: number,
): number | null {
  if (event.kind !== "comment" || event.change !== "created" || event.actor === null || !running)
    return null;
  return isAgentsAccount(event.actor, own, policy) ? receivedAt + quietSeconds * 1000 : null;
}

/**
 * Whether tools of an agent may work under this account; `own` is that of the service's token, null
 * where nobody knows it.
 */
export function isAgentsAccount(
  account: Account,
  own: Account | null,
  { authorizedUsers }: Pick<Policy, "authorizedUsers">,
): boolean {
  if (own !== null && sameAccount(account, own)) return true;
  return isListed(account, authorizedUsers) && mayBeAgents(account, own, { authorizedUsers });
}

/** The same of an account that was found to be authorized, under whatever login. */
export function mayBeAgents(
  account: Account,
  own: Account | null,
  { authorizedUsers }: Pick<Policy, "authorizedUsers">,
): boolean {
  return own === null || sameAccount(account, own) || !isListed(own, authorizedUsers);
}
