import type { Policy } from "../decide/policy.ts";
import type { Reason } from "../decide/reason.ts";
import type { ItemState } from "../work-item/records.ts";
import { formatRef, type Ref } from "../work-item/ref.ts";

/** What an instance is asked for: `start` is true for a start keyword alone. */
export type Approach = { readonly address: string | null; readonly start: boolean };

/**
 * Why this instance leaves a work item alone; null when it may take or keep it (service.md 3.2; P05, S10).
 *
 * An address that names another instance is authoritative for that one, even here where the item may be managed. Scope
 * concerns new work items only: `open` takes any, `addressed` takes a start that names this instance, `locked` none.
 */
export function outOfScope(approach: Approach, workItem: Ref, state: { readonly item: ItemState; readonly ownedBy: string | null }, policy: Policy): Reason | null {
  const { name, scope } = policy.instance;
  if (approach.address !== null && approach.address !== name) return "addressed-elsewhere";
  if (state.ownedBy !== null) return "owned-elsewhere";
  if (scope === "open" || isManaged(state.item, workItem, policy)) return null;
  if (scope === "locked") return "scope-locked";
  return approach.start && approach.address === name ? null : "scope-addressed";
}

/** Declared in the configuration, or with a session or a control record here (service.md 3.2). */
function isManaged(item: ItemState, workItem: Ref, policy: Policy): boolean {
  if (item.sessions.length > 0) return true;
  // A request that led back to idle, such as a pause that was lifted, leaves its record.
  if (item.workItem !== null && (item.workItem.control.status !== "idle" || item.workItem.control.instance !== null)) return true;
  return policy.instance.workItems.has(formatRef(workItem));
}
