import { endAgainAfterMs, stillDue } from "@loopwork/core";
import type { RefText } from "@loopwork/core/ports";
import { eventLine } from "../event-line.ts";
import type { RuntimeParts } from "../parts.ts";
import { collectLeft } from "../turn/capture-at-end.ts";
import type { OutboxHandlers } from "./index.ts";

/**
 * Removes the work item's checkouts, saving first what was not committed or pushed. What cannot be
 * saved stays, and is tried again.
 */
export function createReleaseHandler(parts: RuntimeParts): OutboxHandlers["release"] {
  return async (effect, entry) => {
    const at = parts.clock.now();
    if (!stillDue(effect, await parts.store.items.load(entry.workItem)))
      return {
        kind: "done",
        recorded: { kind: "nothing", why: "called off" },
        note: "the release was called off",
        lines: [],
      };
    await endConversations(entry.workItem, parts);
    await collectLeft(
      entry.workItem,
      (await parts.store.items.load(entry.workItem)).sessions,
      parts,
    );
    const result = await parts.workspace.release(effect.workItem, effect.why);
    if (result.kind === "kept")
      return {
        kind: "again",
        notBefore: at + endAgainAfterMs(entry.attempts + 1),
        note: result.why,
      };
    const recorded = { kind: "released", workItem: effect.workItem, at } as const;
    if (result.kind === "nothing")
      return {
        kind: "done",
        recorded: { ...recorded, salvage: null },
        note: "there is no checkout to remove",
        lines: [],
      };
    const { removed, salvage } = result;
    const line = eventLine(parts, "checkout.released", {
      workItem: entry.workItem,
      delivery: entry.deliveryId,
      reason: effect.why,
      fields: { removed: removed.join(", "), salvage },
    });
    return { kind: "done", recorded: { ...recorded, salvage }, note: "released", lines: [line] };
  };
}

/**
 * Every endpoint's terminal: a harness that still ran in the checkout would write while it goes.
 */
async function endConversations(workItem: RefText, parts: RuntimeParts): Promise<void> {
  for (const session of (await parts.store.items.load(workItem)).sessions)
    await parts.harnesses[session.harness]?.endConversation(session.harnessSessionId);
}
