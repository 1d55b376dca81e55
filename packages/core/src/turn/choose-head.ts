import { type Account, sameAccount } from "../accounts/account.ts";
import { authorityAmong, type Authors } from "./authored-text.ts";
import { type Message, say } from "../message/message.ts";
import { outside } from "../message/outside-text.ts";

/** What is known of the pull request whose head a checkout may be seeded from. */
export type PullFacts = {
  readonly number: number;
  /** Name of its branch; null when it is not known. */
  readonly head: string | null;
  /** Branch that it is against; null when it is not known. */
  readonly base: string | null;
  /** Its head lives in the repository that it is against. */
  readonly sameRepository: boolean;
  /** Its author; null when nobody knows. */
  readonly author: Account | null;
  /**
   * Who owns the repository that its head lives in, and so can push to it; null when nobody knows,
   * or it was deleted.
   */
  readonly headOwner: Account | null;
  /** Recorded against the work item with `link-pr`. */
  readonly recorded: boolean;
};

export type HeadPolicy = {
  /** By what its author is judged. */
  readonly authors: Authors;
  /** `routing.workspace.checkoutAnyHead`. */
  readonly checkoutAnyHead: boolean;
  /** Account that the service acts under; null when there is none. */
  readonly own: Account | null;
};

/**
 * Where a checkout starts: at a branch of the repository, at a pull request's head by its number,
 * or at the default branch.
 */
export type HeadChoice = {
  readonly headBranch: string | null;
  readonly headPull: number | null;
  /**
   * Set when agent and hook configuration must come from the base, because the head is not an
   * authorized person's.
   */
  readonly restoreFrom: { readonly branch: string | null } | null;
  /** A sentence for the session; null when nothing is out of the ordinary. */
  readonly note: Message | null;
};

/**
 * A pull request's head is checked out when it lives in the same repository, its author is
 * authorized, or it is recorded against the work item; else the base, with a sentence that says so.
 * What the service opened itself under its own login counts as an authorized person's: it acts for
 * one. Somebody else's fork may hold anything, whoever opened the pull request: its agent and hook
 * configuration is the base's. Pure.
 */
export function chooseHead(pull: PullFacts | null, policy: HeadPolicy): HeadChoice {
  if (pull === null) return { headBranch: null, headPull: null, restoreFrom: null, note: null };
  const isTrusted = (account: Account | null): boolean =>
    account !== null &&
    (authorityAmong(account, policy.authors) === "authorized" ||
      (policy.own !== null && sameAccount(account, policy.own)));
  const byTrusted = isTrusted(pull.author);
  if (!pull.sameRepository && !byTrusted && !pull.recorded && !policy.checkoutAnyHead)
    return base(
      pull,
      say`it lives in another repository, its author is not authorized, and it is not recorded against this work item`,
    );
  if (pull.sameRepository && pull.head === null) return base(pull, say`its branch is not known`);
  return {
    headBranch: pull.sameRepository ? pull.head : null,
    headPull: pull.sameRepository ? null : pull.number,
    restoreFrom:
      byTrusted && (pull.sameRepository || isTrusted(pull.headOwner))
        ? null
        : { branch: pull.base },
    note: null,
  };
}

function base({ number, base: branch }: PullFacts, why: Message): HeadChoice {
  return {
    headBranch: branch,
    headPull: null,
    restoreFrom: null,
    note: say`the head of pull request #${number} is not checked out: ${why}. The checkout stands on ${branch === null ? say`the default branch` : say`its base ${outside(branch)}`} instead.`,
  };
}
