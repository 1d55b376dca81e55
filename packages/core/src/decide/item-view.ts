import type { InboundEvent, Item } from "../normalise/event.ts";
import type { ItemState, PullRequestLink, WorkItem } from "../work-item/records.ts";
import { parseRef, type Ref, type RefText, sameRef } from "../work-item/ref.ts";
import { instantOf, isBefore } from "./instant.ts";
import type { Policy } from "./policy.ts";
import type { State } from "./state.ts";
import { hasLabel } from "./telling.ts";

/** Events that show an issue or pull request. */
export type ItemEvent = Extract<InboundEvent, { readonly item: Item }>;

/** The work item as best known when deciding. */
export type ItemView = {
  readonly open: boolean;
  readonly armed: boolean;
  /** The event shows the work item itself, not one of its pull requests. */
  readonly itself: boolean;
  /** The event shows the work item as it was before what is on record. */
  readonly stale: boolean;
};

/**
 * What the event shows, unless the record is newer: labels are read from the payload, without
 * asking the host, and an older event never re-opens or re-arms anything. A pull request's own
 * label arms the issue that it is linked to.
 */
export function viewOf(event: InboundEvent, state: State, policy: Policy): ItemView {
  const record = state.item.workItem;
  const open = record?.open ?? true;
  const armed = record?.armed ?? false;
  const item = itemIn(event);
  if (item === null || state.target === null) return { open, armed, itself: false, stale: false };
  const labelled = hasLabel(item.labels, policy.autoExecuteLabel);
  if (!sameRef(refOfItem(event, item), state.target.workItem))
    return { open, armed: armed || labelled, itself: false, stale: false };
  if (isStale(event, item, record)) return { open, armed, itself: true, stale: true };
  return { open: item.open, armed: labelled, itself: true, stale: false };
}

/** The issue or pull request that the event shows; null where it shows none. */
export function itemIn(event: InboundEvent): Item | null {
  if (event.kind === "ci") return null;
  return event.kind === "control" ? (event.shown ?? null) : event.item;
}

/**
 * The picture of the item is older than the record. The host's times are whole seconds: of two
 * pictures of one second, the one that shows the item closed is the newer, unless the event is its
 * reopening; and that is the older one where it stands between two closings.
 */
export function isStale(
  event: InboundEvent,
  item: Pick<Item, "updatedAt" | "open">,
  record: Pick<WorkItem, "hostUpdatedAt" | "open" | "closedAgain"> | null,
): boolean {
  if (record === null) return false;
  if (isBefore(item.updatedAt, record.hostUpdatedAt)) return true;
  const shown = instantOf(item.updatedAt);
  return (
    item.open &&
    !record.open &&
    (event.action !== "reopened" || record.closedAgain === true) &&
    shown !== null &&
    shown === instantOf(record.hostUpdatedAt)
  );
}

/** The same of a recorded pull request; of one that is not recorded nothing older is known. */
export function isStaleOf(
  link: PullRequestLink | undefined,
  event: InboundEvent,
  item: Pick<Item, "updatedAt" | "open">,
): boolean {
  return (
    link !== undefined &&
    isStale(event, item, { open: link.open, hostUpdatedAt: link.updatedAt ?? null })
  );
}

/** The issue or pull request that the event is about. */
export function itemRef(event: ItemEvent): Ref {
  return refOfItem(event, event.item);
}

/** An item that an event shows lies in the event's repository. */
export function refOfItem(
  { repository: { host, owner, name } }: InboundEvent,
  { number }: Pick<Item, "number">,
): Ref {
  return { host, owner, repo: name, number };
}

/** Every endpoint that has a session or a lane, in the order in which they were recorded. */
export function endpointsOf(item: ItemState): readonly Ref[] {
  const texts = new Set<RefText>();
  for (const session of item.sessions) if (session.status !== "closed") texts.add(session.endpoint);
  for (const lane of item.lanes) texts.add(lane.endpoint);
  return [...texts].map(refOf);
}

/**
 * The ref that a record names. Only `formatRef` writes those, so one that does not parse is a bug.
 */
export function refOf(text: RefText): Ref {
  const ref = parseRef(text);
  if (ref === null) throw new Error(`A recorded ref does not parse: ${text}`);
  return ref;
}
