import type { InboundEvent } from "../event/event.ts";
import type { ItemState } from "../work-item/records.ts";
import { formatRef, sameRef } from "../ref/ref.ts";
import { instantOf } from "../text/instant.ts";
import { emptyRecord } from "../work-item/empty-record.ts";
import { isStale, itemRef } from "./item-view.ts";
import type { Policy } from "../config/policy.ts";
import type { Reason } from "../control/reason.ts";
import type { Target } from "../linking/target.ts";
import { hasLabel } from "../event/labels.ts";

/**
 * The closing of an item without the label leaves no record: a busy repository has many, and they
 * are nobody's business. That it closed must still meet a label and a start from before it that are
 * told later. The log has it.
 */
export const leavesNoRecord: Reason = "close-without-session";

/**
 * Whether an event shows its work item as one that could be started, so that it matters whether it
 * closed since.
 */
export function mayBeOvertaken(
  event: InboundEvent,
  target: Target | null,
  policy: Pick<Policy, "autoExecuteLabel">,
): boolean {
  if (target === null || !("item" in event) || event.kind === "closed") return false;
  return (
    hasLabel(event.item.labels, policy.autoExecuteLabel) && sameRef(itemRef(event), target.workItem)
  );
}

/**
 * The state of an item of which nothing is on record, as the newest of its closings shows it, if
 * that is newer than what the event shows; else the state as it is.
 */
export function closedMeanwhile(
  item: ItemState,
  event: InboundEvent,
  closings: readonly InboundEvent[],
): ItemState {
  if (item.workItem !== null || !("item" in event)) return item;
  const shown = closings
    .flatMap((each) => (each.kind === "closed" ? [each.item] : []))
    .toSorted(
      (one, other) => (instantOf(other.updatedAt) ?? 0) - (instantOf(one.updatedAt) ?? 0),
    )[0];
  if (shown === undefined) return item;
  const workItem = {
    ...emptyRecord(formatRef(itemRef(event))),
    open: false,
    hostUpdatedAt: shown.updatedAt,
  };
  return isStale(event, event.item, workItem) ? { ...item, workItem } : item;
}
