import type { Given } from "../../../src/testing/given.ts";
import type { InboundEvent } from "../../../src/event/event.ts";
import type { ItemState } from "../../../src/work-item/records.ts";

/**
 * One line of the specification as given, when, then. `does` are the effects in their order, none
 * when left out.
 */
export type Rule = {
  readonly name: string;
  readonly given: Given;
  readonly when: InboundEvent;
  readonly says: string;
  readonly does?: readonly string[];
  /** What of the state after it the rule is about, and what that is. */
  readonly leaves?: readonly [(after: ItemState) => unknown, unknown];
};

export const status = (after: ItemState): unknown => after.workItem?.control.status ?? null;
export const holds = (after: ItemState): unknown =>
  after.lanes.map((lane) => lane.hold?.reason ?? null);
export const sessions = (after: ItemState): unknown =>
  after.sessions.map((session) => session.status);
export const armed = (after: ItemState): unknown => after.workItem?.armed ?? null;
export const record = (after: ItemState): unknown => after.workItem;
export const deferred = (after: ItemState): unknown => after.workItem?.closeDeferred ?? null;
