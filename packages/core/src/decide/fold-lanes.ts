import { outranks } from "../work-item/hold.ts";
import type { Hold, ItemState, LaneState } from "../work-item/records.ts";
import type { RefText } from "../ref/ref.ts";

/**
 * A lane for an endpoint that has none yet. While the item is paused, a new lane waits like the
 * others.
 */
export function withLane(item: ItemState, endpoint: RefText): ItemState {
  if (item.lanes.some((lane) => lane.endpoint === endpoint)) return item;
  return { ...item, lanes: [...item.lanes, { endpoint, hold: restingHold(item) }] };
}

/** Holds one lane, unless it waits for something stronger. */
export function holdLane(item: ItemState, endpoint: RefText, hold: Hold): ItemState {
  return mapLanes(withLane(item, endpoint), (lane) =>
    lane.endpoint === endpoint && outranks(hold, lane.hold) ? { ...lane, hold } : lane,
  );
}

/** Holds every lane, unless it waits for something stronger. */
export function holdLanes(item: ItemState, hold: Hold): ItemState {
  return mapLanes(item, (lane) => (outranks(hold, lane.hold) ? { ...lane, hold } : lane));
}

/**
 * Opens one lane (all of them for null) where it waits for one of the reasons; what was paused
 * meanwhile stays paused.
 */
export function openLanes(
  item: ItemState,
  endpoint: RefText | null,
  lifts: (hold: Hold) => boolean,
): ItemState {
  return mapLanes(item, (lane) =>
    (endpoint === null || lane.endpoint === endpoint) && lane.hold !== null && lifts(lane.hold)
      ? { ...lane, hold: restingHold(item) }
      : lane,
  );
}

/** How a lane is that waits for nothing of its own. */
function restingHold(item: ItemState): Hold | null {
  const control = item.workItem?.control;
  return control?.status === "paused"
    ? { reason: "paused", until: null, detail: `paused by ${control.requestedBy ?? "nobody"}` }
    : null;
}

/** Keeps the list, and each lane in it, where nothing changed. */
function mapLanes(item: ItemState, change: (lane: LaneState) => LaneState): ItemState {
  let changed = false;
  const lanes = item.lanes.map((lane) => {
    const next = change(lane);
    if (sameHold(next.hold, lane.hold)) return lane;
    changed = true;
    return next;
  });
  return changed ? { ...item, lanes } : item;
}

function sameHold(one: Hold | null, other: Hold | null): boolean {
  return (
    one === other ||
    (one !== null &&
      other !== null &&
      one.reason === other.reason &&
      one.until === other.until &&
      one.detail === other.detail)
  );
}
