import { evolve } from "@loopwork/core";
import { type Account, formatRef, LoopError, type Ref, type RefText } from "@loopwork/core/ports";
import { foreignPull, isForeignPull, notOnHost } from "@loopwork/runtime/steering";
import { steeredLine } from "./steering-event-line.ts";
import type { PullRequestHead, SteeringPorts } from "./steering-ports.ts";

/** `recorded` is false where it was on record already. */
export type LinkedPullRequest = {
  readonly workItem: RefText;
  readonly pullRequest: RefText;
  readonly recorded: boolean;
};

/**
 * Whom to ask whose a pull request is, where an agent wants it on record; null for a person, who
 * may vouch for anybody's.
 */
export type AgentsLink = { ownAccount(): Promise<Account | null> } | null;

/**
 * Records a pull request against the work item; again is a no-op. Rejects for one that the host
 * does not have.
 */
export async function linkPullRequest(
  workItem: Ref,
  pullRequest: Ref,
  ports: SteeringPorts,
  agent: AgentsLink = null,
): Promise<LinkedPullRequest> {
  const store = await ports.store();
  const [item, link] = [formatRef(workItem), formatRef(pullRequest)];
  if ((await store.items.linkedTo(link)).includes(item))
    return { workItem: item, pullRequest: link, recorded: false };
  const known = await ports.headOf(pullRequest);
  if (known === "none") throw notOnHost(`pull request ${link}`);
  if (agent !== null && known !== null) await refuseForeign(known, item, link, agent, ports);
  const recorded = {
    kind: "pull-request-linked",
    workItem,
    pullRequest,
    headSha: known?.headSha ?? null,
    headBranch: known?.sameRepository === true ? known.headBranch : null,
    at: ports.clock.now(),
  } as const;
  const lines = [await steeredLine(ports, "pull-request.linked", item, { pullRequest: link })];
  await store.items.update(item, (before) => ({ after: evolve(before, recorded), lines }));
  return { workItem: item, pullRequest: link, recorded: true };
}

/** An agent's word leads nobody's to a session, also where a person began it. */
async function refuseForeign(
  head: PullRequestHead,
  item: RefText,
  link: RefText,
  { ownAccount }: NonNullable<AgentsLink>,
  ports: SteeringPorts,
): Promise<void> {
  const [{ items }, policy] = [await ports.store(), await ports.policy()];
  const record = await items.load(item);
  if (!(await isForeignPull(head, record, policy, { ownAccount, items }))) return;
  const { code, message, hint } = foreignPull(link, item);
  throw new LoopError(code, message, hint);
}
