import { type NewDelivery, replayWindowMs } from "../event/delivery.ts";
import type { Acceptance, Inbox } from "../ports/inbox.ts";
import type { InboxSubject, StoredForTest } from "./inbox-contract.ts";

/**
 * An inbox that keeps everything in memory: for tests of what writes to an inbox. `stored` grows
 * with what was accepted.
 */
export function createMemoryInbox(): Inbox & { readonly stored: readonly StoredForTest[] } {
  const stored: StoredForTest[] = [];
  return { stored, append: async (delivery) => admit(stored, delivery) };
}

/** The subject of the contract suite for `createMemoryInbox`. */
export function memoryInboxSubject(): InboxSubject {
  const inbox = createMemoryInbox();
  return { inbox, stored: async () => inbox.stored, reopen: null, close: async () => {} };
}

function admit(stored: StoredForTest[], delivery: NewDelivery): Acceptance {
  if (stored.some((each) => each.id === delivery.id))
    return { kind: "duplicate", why: "id", of: delivery.id };
  const original =
    delivery.verified && delivery.allowReplay !== true
      ? stored.find((each) => isReplayOf(delivery, each))
      : undefined;
  if (original !== undefined) return { kind: "duplicate", why: "replay", of: original.id };
  const { allowReplay: _, ...kept } = delivery;
  const seq = stored.length + 1;
  stored.push({ ...kept, seq, body: delivery.body?.slice() ?? null });
  return { kind: "accepted", seq };
}

function isReplayOf(delivery: NewDelivery, earlier: StoredForTest): boolean {
  return (
    earlier.verified &&
    earlier.event === delivery.event &&
    earlier.digest === delivery.digest &&
    delivery.receivedAt - earlier.receivedAt <= replayWindowMs
  );
}
