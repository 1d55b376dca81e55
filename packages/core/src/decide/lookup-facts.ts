import { isListed, isListedAs } from "../accounts/account.ts";
import type { InboundEvent } from "../event/event.ts";
import type { RefText } from "../ref/ref.ts";
import type { LookupAnswers, LookupQuestions } from "../linking/lookups.ts";
import type { Policy } from "../config/policy.ts";
import type { State } from "./state.ts";

/**
 * What was looked up to place an event, kept beside the decision so that replay can place it anew
 * under another configuration.
 */
export type LookedUp = {
  readonly answers: LookupAnswers;
  /** What the host was asked; `nothing` also where a record answered. */
  readonly asked: LookupQuestions["ask"];
  /** Absent where something of the repository is on record. */
  readonly repository?: "new";
  /**
   * True where the host was not asked because the comment is of nobody who may be heard anywhere.
   */
  readonly unheard?: true;
  /**
   * Work items whose states were read. Nothing was known about those that are not among
   * `answers.items`.
   */
  readonly loaded: readonly RefText[];
  /** Whether the host has the issue that only a branch names; null where nobody asked. */
  readonly confirmed: boolean | null;
  /** Null where nobody looked. */
  readonly own: OwnEvidence | null;
};

/**
 * Whether anybody could be heard in an event. A comment of somebody who may not steer and has a
 * grant on no item at all is dropped wherever it belongs, so nobody is asked where that is. What
 * else strangers do is remembered of its item.
 */
export function mayBeHeard(
  event: InboundEvent,
  policy: Pick<Policy, "authorizedUsers">,
  guests: Guests,
  pinnedAs: readonly string[] = [],
): boolean {
  const { actor } = event;
  if (event.kind !== "comment" || actor === null) return event.kind !== "comment";
  const isPinned =
    isListedAs(actor, pinnedAs, policy.authorizedUsers) ||
    isListedAs(actor, pinnedAs, guests.logins);
  return (
    isPinned ||
    isListed(actor, policy.authorizedUsers) ||
    isListed(actor, guests.logins) ||
    (actor.id !== null && guests.ids.has(actor.id))
  );
}

/** Everybody with a grant on any item: the logins, and the ids where they are known. */
export type Guests = { readonly logins: ReadonlySet<string>; readonly ids: ReadonlySet<string> };

export const noGuests: Guests = { logins: new Set(), ids: new Set() };

/**
 * What speaks for an event being the session's own doing: its head stands in the session's
 * checkout, or it came under the token's login.
 */
export type OwnEvidence = { readonly inCheckout: boolean; readonly byOwnLogin: boolean };

/**
 * What speaks for it where no session of the item had a checkout when somebody looked. It is kept
 * like any other evidence: by the time of the decision a session may have one, and then nothing
 * else would say that it had none.
 */
export const ownOfNobody: OwnEvidence = { inCheckout: false, byOwnLogin: false };

/**
 * Whether an activity is the session's own. A push whose head stands in its checkout is, whoever's
 * login it used. What the token's own login does is too, unless a person steers under that login:
 * then it cannot be told apart.
 */
export function ownActivity(
  { inCheckout, byOwnLogin }: OwnEvidence,
  event: InboundEvent,
  policy: Pick<Policy, "authorizedUsers">,
): State["own"] {
  return inCheckout ||
    (byOwnLogin && !(event.actor !== null && isListed(event.actor, policy.authorizedUsers)))
    ? "activity"
    : "no";
}

/**
 * Whether anybody wants to know that of an event: only where own activity is to be ignored. A
 * closing is told whoever made it: a head that stands in the checkout says whose work was closed or
 * merged, not by whom, and a login says it no better where people steer under it.
 */
export function asksForOwn(event: InboundEvent, policy: Pick<Policy, "ownActivity">): boolean {
  return policy.ownActivity === "ignore" && (event.kind === "activity" || event.kind === "label");
}
