import { evolve } from "@loopwork/core";
import { formatRef, parseRef } from "@loopwork/core/ports";
import type { RuntimeParts } from "@loopwork/runtime";

/** A link on record whose pull request the host has no more: no command records such a one. */
export async function recordLink(
  { store, clock }: Pick<RuntimeParts, "store" | "clock">,
  workItem: string,
  link: string,
): Promise<void> {
  const [item, pullRequest] = [parseRef(workItem), parseRef(link)];
  if (item === null || pullRequest === null)
    throw new Error(`${workItem} or ${link} is no reference`);
  const head = { headSha: null, headBranch: null } as const;
  const at = clock.now();
  const recorded = {
    kind: "pull-request-linked",
    workItem: item,
    pullRequest,
    ...head,
    at,
  } as const;
  await store.items.update(formatRef(item), (before) => ({
    after: evolve(before, recorded),
    lines: [],
  }));
}
