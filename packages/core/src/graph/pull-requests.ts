import type { ItemState } from "../work-item/records.ts";
import { parseRef, sameRef } from "../ref/ref.ts";
import type { ObservedWork } from "./progress.ts";

/**
 * Recorded pull requests, in other repositories with their heads: commits of the own one show in
 * the checkout.
 */
export function pullRequestsOf({
  workItem,
  pullRequests,
}: ItemState): ObservedWork["pullRequests"] {
  const own = workItem === null ? null : parseRef(workItem.ref);
  return pullRequests.map(({ pullRequest, headSha }) => {
    const ref = parseRef(pullRequest);
    const here = own !== null && ref !== null && sameRef({ ...ref, number: own.number }, own);
    return { ref: pullRequest, head: here ? null : headSha, recorded: headSha };
  });
}
