import type { OutboxEntry } from "@loopwork/core/ports";
import { eventLine } from "../event-line.ts";
import type { RuntimeParts } from "../parts.ts";
import { learnOwnLogin } from "../known-login.ts";
import { hostFailure } from "./host-failure.ts";
import type { OutboxHandlers } from "./index.ts";

/**
 * Posts one marked comment, at most once: that it is about to is on record before it does, so that after an interruption
 * it looks for its marker first (decisions.md 4). Where that cannot be put on record the work item is another instance's by now.
 */
export function createReplyHandler(parts: RuntimeParts): OutboxHandlers["reply"] {
  return async (effect, entry) => {
    const purpose = purposeOf(entry, parts);
    try {
      await learnOwnLogin(parts);
      const before = entry.attempts > 0 ? await parts.host.findComment(effect.thread, parts.marks.marker(purpose), parts.marks.isOurs) : null;
      const mayPost = before !== null || (await parts.store.outbox.settle(entry.id, { state: "pending", notBefore: parts.clock.now(), note: "is being posted", tried: entry.attempts === 0 }, null, []));
      if (!mayPost) return { kind: "elsewhere", note: "another instance has the work item" };
      const id = before ?? (await parts.host.comment(effect.thread, parts.marks.sign(effect.text, purpose))).id;
      const line = eventLine(parts, "host.posted", { workItem: entry.workItem, delivery: entry.deliveryId, fields: { comment: id, purpose } });
      return { kind: "done", recorded: { kind: "posted", commentId: id }, note: `comment ${id}`, lines: [line] };
    } catch (error) {
      return hostFailure(error, entry, parts);
    }
  };
}

/** Numbers of effects begin anew with each store, and instances share threads: instance and time keep the purposes apart. */
export function purposeOf({ id, createdAt }: Pick<OutboxEntry, "id" | "createdAt">, parts: Pick<RuntimeParts, "settings">): string {
  return `effect-${parts.settings().policy.instance.name}-${createdAt.toString(36)}-${id}`;
}
