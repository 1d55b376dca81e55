import {
  type InboundEvent,
  leavesNoRecord,
  mayBeOvertaken,
  type Policy,
  type Target,
} from "@loopwork/core";
import { formatRef } from "@loopwork/core/ports";
import type { RuntimeParts } from "./parts.ts";

/** As many of an item's newest decisions are looked through. */
const lookedThrough = 200;

/**
 * Closings of the event's work item that left no record, for an event that could start it; none
 * where the item is on record. The log is asked for them at most until an item's first record, so
 * that its size matters little.
 */
export async function closingsOf(
  event: InboundEvent,
  target: Target | null,
  policy: Policy,
  { store }: Pick<RuntimeParts, "store">,
): Promise<readonly InboundEvent[]> {
  if (target === null || !mayBeOvertaken(event, target, policy)) return [];
  const workItem = formatRef(target.workItem);
  if ((await store.items.load(workItem)).workItem !== null) return [];
  const decided = await store.log.list({ workItem, limit: lookedThrough, newestFirst: true });
  const closings = decided.filter(({ decision }) => decision?.reason === leavesNoRecord);
  const rows = await Promise.all(closings.map(({ id }) => store.log.decision(id)));
  return rows.flatMap((row) => row?.event ?? []);
}
