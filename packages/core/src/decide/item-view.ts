import type { InboundEvent, Item } from "../normalise/event.ts";
import type { ItemState, WorkItem } from "../work-item/records.ts";
import { parseRef, type Ref, type RefText, sameRef } from "../work-item/ref.ts";
import { isBefore } from "./instant.ts";
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
  /** The event shows the work item as it was before what is on record (R19). */
  readonly stale: boolean;
};

/**
 * What the event shows, unless the record is newer: labels are read from the payload, without asking the host (service.md 3.1),
 * and an older event never re-opens or re-arms anything (R19). A pull request's own label arms the issue that it is linked to.
 */
export function viewOf(event: InboundEvent, state: State, policy: Policy): ItemView {
  const record = state.item.workItem;
  const open = record?.open ?? true;
  const armed = record?.armed ?? false;
  if (event.kind === "ci" || event.kind === "control" || state.target === null) return { open, armed, itself: false, stale: false };
  const labelled = hasLabel(event.item.labels, policy.autoExecuteLabel);
  if (!sameRef(itemRef(event), state.target.workItem)) return { open, armed: armed || labelled, itself: false, stale: false };
  if (isStale(event, record)) return { open, armed, itself: true, stale: true };
  return { open: event.item.open, armed: labelled, itself: true, stale: false };
}

/** The event's picture of the item is older than the record. */
export function isStale(event: ItemEvent, record: WorkItem | null): boolean {
  return record !== null && isBefore(event.item.updatedAt, record.hostUpdatedAt);
}

/** The issue or pull request that the event is about. */
export function itemRef(event: ItemEvent): Ref {
  const { host, owner, name } = event.repository;
  return { host, owner, repo: name, number: event.item.number };
}

/** Every endpoint that has a session or a lane, in the order in which they were recorded. */
export function endpointsOf(item: ItemState): readonly Ref[] {
  const texts = new Set<RefText>();
  for (const session of item.sessions) if (session.status !== "closed") texts.add(session.endpoint);
  for (const lane of item.lanes) texts.add(lane.endpoint);
  return [...texts].map(refOf);
}

/** The ref that a record names. Only `formatRef` writes those, so one that does not parse is a bug. */
export function refOf(text: RefText): Ref {
  const ref = parseRef(text);
  if (ref === null) throw new Error(`A recorded ref does not parse: ${text}`);
  return ref;
}
