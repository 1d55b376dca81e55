import type { ItemState } from "../work-item/records.ts";
import type { Ref } from "../ref/ref.ts";
import type { Effect } from "./effect.ts";
import { endpointsOf } from "./item-view.ts";

type Why = Extract<Effect, { readonly kind: "end-session" }>["why"];

/** What waits is dropped and the session ends, for every endpoint of the work item. */
export function endings(item: ItemState, why: Why, graceMs: number): readonly Effect[] {
  return endpointsOf(item).flatMap((endpoint) => ending(endpoint, why, graceMs));
}

/** The same for one endpoint. */
export function ending(endpoint: Ref, why: Why, graceMs: number): readonly Effect[] {
  return [
    { kind: "drop-turns", endpoint, why },
    { kind: "end-session", endpoint, why, graceMs },
  ];
}
