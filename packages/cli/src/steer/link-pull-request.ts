import { evolve, formatRef, type Ref, type RefText } from "@loopwork/core";
import { steeredLine } from "./line.ts";
import { notOnHost } from "./send-control.ts";
import type { SteeringPorts } from "./steering-ports.ts";

/** `recorded` is false where it was on record already. */
export type LinkedPullRequest = { readonly workItem: RefText; readonly pullRequest: RefText; readonly recorded: boolean };

/** Records a pull request against the work item; again is a no-op (service.md 4.3). Rejects for one that the host does not have. */
export async function linkPullRequest(workItem: Ref, pullRequest: Ref, ports: SteeringPorts): Promise<LinkedPullRequest> {
  const store = await ports.store();
  const [item, link] = [formatRef(workItem), formatRef(pullRequest)];
  if ((await store.items.linkedTo(link)).includes(item)) return { workItem: item, pullRequest: link, recorded: false };
  const known = await ports.headOf(pullRequest);
  if (known === "none") throw notOnHost(`pull request ${link}`);
  const recorded = { kind: "pull-request-linked", workItem, pullRequest, headSha: known?.headSha ?? null, headBranch: known?.sameRepository === true ? known.headBranch : null, at: ports.clock.now() } as const;
  const lines = [await steeredLine(ports, "pull-request.linked", item, { pullRequest: link })];
  await store.items.update(item, (before) => ({ after: evolve(before, recorded), lines }));
  return { workItem: item, pullRequest: link, recorded: true };
}
