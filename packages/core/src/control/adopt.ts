import { formatPortableRecord } from "../work-item/portable-record.ts";
import type { ItemState, WorkItem } from "../work-item/records.ts";

/**
 * A work item of another instance, as this one takes it over. What is of that machine goes: its
 * sessions, so that the next turn opens a new one from the portable record, and holds that only its
 * own hands could have lifted. Pure.
 */
export function adoptedBy(item: ItemState, from: string, instance: string): ItemState {
  const record = formatPortableRecord(item)?.workItem ?? null;
  return {
    ...item,
    workItem:
      record === null
        ? null
        : {
            ...record,
            ...steeredOf(item),
            control:
              record.control.instance === null
                ? record.control
                : { ...record.control, instance, adoptedFrom: from },
          },
    sessions: [],
    lanes: item.lanes.map((lane) =>
      lane.hold !== null && ofTheMachine.has(lane.hold.reason) ? { ...lane, hold: null } : lane,
    ),
  };
}

const ofTheMachine: ReadonlySet<string> = new Set([
  "ending",
  "releasing",
  "session-busy",
  "attached",
  "workspace",
  "spawn-refused",
  "sandbox",
  "not-installed",
  "login",
  "billing",
  "usage-limit",
  "backoff",
]);

/** It names a delivery of the store, which both share. */
function steeredOf({ workItem }: ItemState): Pick<WorkItem, "steered"> {
  return workItem?.steered === undefined ? {} : { steered: workItem.steered };
}
