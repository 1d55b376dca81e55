import type { ItemState, RefText } from "@loopwork/core";
import { parseRef } from "@loopwork/core/refs";
import type { Change } from "@loopwork/core/graph";
import { type CodeHost, CodeHostError } from "@loopwork/core/ports";

/**
 * What each recorded pull request changes, in whichever repository; one that cannot be read keeps
 * none of the others from being read.
 */
export async function readChanges(
  pullRequests: ItemState["pullRequests"],
  host: Pick<CodeHost, "changes">,
): Promise<ReadonlyMap<RefText, Change>> {
  const changes = new Map<RefText, Change>();
  for (const { pullRequest } of pullRequests)
    changes.set(pullRequest, await readChange(pullRequest, host));
  return changes;
}

async function readChange(pullRequest: RefText, host: Pick<CodeHost, "changes">): Promise<Change> {
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
