import {
  type CodeHost,
  CodeHostError,
  type ItemState,
  parseRef,
  type RefText,
} from "@loopwork/core/ports";
import type { PullRequestChange } from "@loopwork/core";

/**
 * What each recorded pull request changes, in whichever repository; one that cannot be read keeps
 * none of the others from being read.
 */
export async function readChanges(
  pullRequests: ItemState["pullRequests"],
  host: Pick<CodeHost, "changes">,
): Promise<ReadonlyMap<RefText, PullRequestChange>> {
  const changes = new Map<RefText, PullRequestChange>();
  for (const { pullRequest } of pullRequests)
    changes.set(pullRequest, await readChange(pullRequest, host));
  return changes;
}

async function readChange(
  pullRequest: RefText,
  host: Pick<CodeHost, "changes">,
): Promise<PullRequestChange> {
  const ref = parseRef(pullRequest);
  if (ref === null) return { unreadable: "the recorded ref does not parse" };
  try {
    const diff = await host.changes(ref);
    return diff === null
      ? { unreadable: "the host shows no such pull request to this token" }
      : { diff };
  } catch (error) {
    if (error instanceof CodeHostError) return { unreadable: error.message };
    throw error;
  }
}
