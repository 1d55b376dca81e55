import { isVouchedFor, type Policy } from "@loopwork/core";
import { type Account, type ItemState, sameAccount } from "@loopwork/core/ports";
import { pinnedOf } from "./pinned-account.ts";
import type { RuntimeParts } from "./parts.ts";

/** What the host tells of a pull request before an agent may record it. */
export type OpenedBy = { readonly sameRepository: boolean; readonly author: Account | null };

/** Whom to ask about its author. */
export type AuthorQuestions = {
  ownAccount(): Promise<Account | null>;
  readonly items: Pick<RuntimeParts["store"]["items"], "pinnedActor" | "pinnedTo">;
};

/**
 * Whether nobody vouches for a pull request that an agent wants on record. What is on record leads
 * people's words to the session, so an agent's word for it counts no more than the pull request's.
 */
export async function isForeignPull(
  { sameRepository, author }: OpenedBy,
  item: Pick<ItemState, "collaborators">,
  policy: Pick<Policy, "trustForkBranches" | "authorizedUsers">,
  { ownAccount, items }: AuthorQuestions,
): Promise<boolean> {
  const known =
    author === null || sameRepository
      ? null
      : { pinned: await pinnedOf(author, items), own: await isOwn(author, ownAccount) };
  return !isVouchedFor({ fork: !sameRepository, author, known }, policy, item);
}

/** Where the host doesn't say whose its token is, nobody's pull request is the service's own. */
async function isOwn(author: Account, ownAccount: () => Promise<Account | null>): Promise<boolean> {
  const own = await ownAccount().catch(() => null);
  return own !== null && sameAccount(own, author);
}

/** The refusal that the agent is told. */
export function foreignPull(
  pullRequest: string,
  workItem: string,
): {
  readonly code: "LOOP_E_FOREIGN_PULL_REQUEST";
  readonly message: string;
  readonly hint: string;
} {
  return {
    code: "LOOP_E_FOREIGN_PULL_REQUEST",
    message: `an agent may not record ${pullRequest} against ${workItem}: it comes from a fork, and its author has no authority there`,
    hint: "ask a person with `loop ask` to record it: they use `loop sessions link-pr`",
  };
}
