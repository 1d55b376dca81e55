import { stillDue } from "@loopwork/core";
import { eventLine } from "../event-line.ts";
import type { RuntimeParts } from "../parts.ts";
import type { OutboxHandlers } from "./index.ts";

const tryAgainMs = 60_000;
const mostAttempts = 10;

/** Removes the work item's checkouts, saving first what was not committed or pushed; what cannot be saved stays (decisions.md 9). */
export function createReleaseHandler(parts: RuntimeParts): OutboxHandlers["release"] {
  return async (effect, entry) => {
    const at = parts.clock.now();
    if (!stillDue(effect, await parts.store.items.load(entry.workItem))) return { kind: "done", recorded: { kind: "nothing", why: "called off" }, note: "the release was called off", lines: [] };
    const result = await parts.workspace.release(effect.workItem, effect.why);
    if (result.kind === "kept" && entry.attempts + 1 < mostAttempts) {
      parts.log("warn", `the checkout of ${entry.workItem} is kept, and tried again later: ${result.why}`);
      return { kind: "later", notBefore: at + tryAgainMs, note: result.why };
    }
    if (result.kind === "kept") {
      const line = eventLine(parts, "checkout.released", { level: "error", workItem: entry.workItem, reason: "kept", fields: { why: result.why } });
      return { kind: "failed", note: result.why, lines: [line] };
    }
    const salvage = result.kind === "released" ? result.salvage : null;
    const fields = { removed: result.kind === "released" ? result.removed.join(", ") : "", salvage };
    const line = eventLine(parts, "checkout.released", { workItem: entry.workItem, delivery: entry.deliveryId, reason: effect.why, fields });
    return { kind: "done", recorded: { kind: "released", workItem: effect.workItem, salvage, at }, note: "released", lines: [line] };
  };
}
