import type { Policy } from "../decide/policy.ts";
import type { Reason } from "../decide/reason.ts";
import type { State } from "../decide/state.ts";
import { emptyItemState, type ItemState } from "../work-item/records.ts";
import { formatRef, type Ref, type RefText } from "../work-item/ref.ts";

/** What an instance is asked for: `start` is true for a start keyword alone. */
export type Approach = { readonly address: string | null; readonly start: boolean };

/**
 * Why this instance leaves a work item alone; null when it may take or keep it
 * (docs/specification.md#scope-and-instances).
 *
 * An address that names another instance is authoritative for that one, even here where the item
 * may be managed. Scope concerns new work items only: `open` takes any, `addressed` takes a start
 * that names this instance, `locked` none, nor does one that was told to take nothing new.
 */
export function outOfScope(
  approach: Approach,
  workItem: Ref,
  state: Pick<State, "item" | "ownedBy" | "drained">,
  policy: Policy,
): Reason | null {
  const { name, scope } = policy.instance;
  if (approach.address !== null && approach.address !== name) return "addressed-elsewhere";
  if (state.ownedBy !== null) return "owned-elsewhere";
  const drained = state.drained === true;
  // Whether the item is managed matters to the others alone, and takes longer to find out than all
  // the rest.
  if ((scope === "open" && !drained) || isManaged(state.item, workItem, policy)) return null;
  if (drained) return "instance-drained";
  if (scope === "locked") return "scope-locked";
  return approach.start && approach.address === name ? null : "scope-addressed";
}

/**
 * By what an instance manages a work item: it is declared in the configuration, or has a session or
 * a control record here.
 */
export type ManagedBy = "declared" | "session" | "control";
export type ManagedItem = { readonly ref: RefText; readonly sources: readonly ManagedBy[] };

/** The work items that are handled in every scope mode, by ref. */
export function managedItems(items: readonly ItemState[], policy: Policy): readonly ManagedItem[] {
  const known = new Map<RefText, ItemState>();
  for (const ref of policy.instance.workItems) known.set(ref, emptyItemState);
  for (const item of items) {
    const ref = item.workItem?.ref ?? item.sessions[0]?.workItem;
    if (ref !== undefined) known.set(ref, item);
  }
  const managed = [...known]
    .map(([ref, item]) => ({ ref, sources: sourcesOf(item, ref, policy) }))
    .filter(({ sources }) => sources.length > 0);
  return managed.toSorted((a, b) => (a.ref < b.ref ? -1 : 1));
}

function isManaged(item: ItemState, workItem: Ref, policy: Policy): boolean {
  return sourcesOf(item, formatRef(workItem), policy).length > 0;
}

function sourcesOf(
  { workItem: record, sessions }: ItemState,
  ref: RefText,
  policy: Policy,
): readonly ManagedBy[] {
  const declared = policy.instance.workItems.has(ref);
  // A request that led back to idle, such as a pause that was lifted, leaves its record.
  const asked =
    record !== null && (record.control.status !== "idle" || record.control.instance !== null);
  return [
    ...(declared ? ["declared" as const] : []),
    ...(sessions.length > 0 ? ["session" as const] : []),
    ...(asked ? ["control" as const] : []),
  ];
}
