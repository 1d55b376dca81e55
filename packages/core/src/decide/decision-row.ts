import type { EventLine } from "../event-log/event-line.ts";
import type { StoredDelivery } from "../event/delivery.ts";
import type { Decision } from "./decision.ts";
import type { State } from "./state.ts";
import type { InboundEvent } from "../event/event.ts";
import type { ItemState } from "../work-item/records.ts";
import type { RefText } from "../ref/ref.ts";

/** What a decision writes. `event` and `state` are the facts that `why` and `replay` need. */
export type Decided = {
  readonly event: InboundEvent | null;
  readonly state: State | null;
  readonly decision: Decision;
  /** The state after the decision; null when no work item is concerned. */
  readonly after: ItemState | null;
  /** Semantic key, unique per instance; null for what has none. */
  readonly key: string | null;
  readonly lines: readonly EventLine[];
  /** Pins an actor's login to the numeric id on first sight. */
  readonly pin: { readonly login: string; readonly id: string } | null;
};

export type DecisionRow = {
  readonly delivery: StoredDelivery;
  readonly workItem: RefText | null;
  readonly event: InboundEvent | null;
  readonly state: State | null;
  readonly decision: Decision;
  readonly decidedAt: number;
};
