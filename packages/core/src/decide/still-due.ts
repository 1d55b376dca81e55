import type { ItemState } from "../work-item/records.ts";
import { formatRef } from "../work-item/ref.ts";
import type { Effect } from "./effect.ts";

/**
 * Whether an end that was decided earlier is still wanted: it is for as long as its lane waits for
 * it. A reopening within the grace of a closing lifts that wait and so calls the end off. Handlers
 * of `end-session` and `release` ask before they act, and again after they have waited.
 */
export function stillDue(
  effect: Extract<Effect, { readonly kind: "end-session" | "release" }>,
  item: ItemState,
): boolean {
  if (effect.kind === "release")
    return item.lanes.some((lane) => lane.hold?.reason === "releasing") && !stillEnding(item);
  const endpoint = formatRef(effect.endpoint);
  return item.lanes.some(
    (lane) =>
      lane.endpoint === endpoint &&
      (lane.hold?.reason === "ending" || lane.hold?.reason === "releasing"),
  );
}

/**
 * A session that has yet to end comes before the release that belongs to its end. One that is
 * looked at earlier was called off by a reopening, and stands before an end that was decided since:
 * carried out, it would take the checkout from under a running turn.
 */
function stillEnding(item: ItemState): boolean {
  return item.sessions.some(
    (session) =>
      session.status === "closing" &&
      item.lanes.some(
        (lane) => lane.endpoint === session.endpoint && lane.hold?.reason === "releasing",
      ),
  );
}
