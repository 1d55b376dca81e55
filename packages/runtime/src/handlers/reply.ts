import type { OutboxEntry } from "@loopwork/core/ports";
import { eventLine } from "../event-line.ts";
import type { RuntimeParts } from "../parts.ts";
import { learnOwnLogin } from "../known-login.ts";
import { withSandboxNote } from "../turn/sandbox.ts";
import { hostFailure } from "./host-failure.ts";
import { NoLongerOurs, stillOurs } from "../still-ours.ts";
import type { Carried, OutboxHandlers } from "./index.ts";

/**
 * Posts one marked comment, at most once: that it is about to is on record before it does, so that
 * after an interruption it looks for its marker first. Where that cannot be put on record the work
 * item is another instance's by now. It is put there once more right before the request leaves: a
 * process that slept between the two may have lost its place.
 */
export function createReplyHandler(parts: RuntimeParts): OutboxHandlers["reply"] {
  return async (effect, entry) => {
    const purpose = purposeOf(entry, parts);
    const claim = (tried: boolean): Promise<boolean> =>
      parts.store.outbox.settle(
        entry.id,
        { state: "pending", notBefore: parts.clock.now(), note: "is being posted", tried },
        null,
        [],
      );
    try {
      await learnOwnLogin(parts);
      const before =
        entry.attempts > 0
          ? await parts.host.findComment(
              effect.thread,
              parts.marks.marker(purpose),
              parts.marks.isOurs,
            )
          : null;
      if (before === null && !(await claim(entry.attempts === 0))) return elsewhere;
      const id =
        before ??
        (
          await parts.host.comment(
            effect.thread,
            parts.marks.sign(await withSandboxNote(effect.text, entry.workItem, parts), purpose),
            stillOurs(() => claim(false)),
          )
        ).id;
      const line = eventLine(parts, "host.posted", {
        workItem: entry.workItem,
        delivery: entry.deliveryId,
        fields: { comment: id, purpose },
      });
      return {
        kind: "done",
        recorded: { kind: "posted", commentId: id },
        note: `comment ${id}`,
        lines: [line],
      };
    } catch (error) {
      if (error instanceof NoLongerOurs) return elsewhere;
      return hostFailure(error, entry, parts);
    }
  };
}

const elsewhere: Carried = { kind: "elsewhere", note: "another instance has the work item" };

/**
 * Numbers of effects begin anew with each store, and instances share threads: instance and time
 * keep the purposes apart.
 */
export function purposeOf(
  { id, createdAt }: Pick<OutboxEntry, "id" | "createdAt">,
  parts: Pick<RuntimeParts, "settings">,
): string {
  return `effect-${parts.settings().policy.instance.name}-${createdAt.toString(36)}-${id}`;
}
