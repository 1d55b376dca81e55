import { isJsonObject, type JsonObject } from "./parse-payload.ts";
import { readActor } from "./actor.ts";
import type { ActivityEvent, ClosedEvent, LabelEvent } from "./event.ts";
import { activity, closing, LabelChange } from "./happening.ts";
import type { LazyItem } from "./lazy-item.ts";
import { itemMoment } from "./moment.ts";
import type { Arrival } from "./normalise.ts";

/** An `issues` or `pull_request` event that is about the item as a whole. */
export function itemEvent(
  arrival: Arrival,
  payload: JsonObject,
  item: LazyItem,
): ActivityEvent | LabelEvent | ClosedEvent {
  const actor = readActor(payload["sender"]);
  switch (arrival.action) {
    case "labeled":
    case "unlabeled": {
      const raw = payload["label"];
      const label = isJsonObject(raw) ? raw["name"] : null;
      // Without a label in the payload there is nothing to arm by: then it is mere activity.
      if (typeof label !== "string") break;
      const change = arrival.action === "labeled" ? "added" : "removed";
      return new LabelChange(
        arrival,
        payload,
        actor,
        itemMoment,
        withLabel(item, label, change),
        label,
        change,
      );
    }
    case "closed":
    case "deleted":
    case "transferred":
      // A deleted or transferred issue is sent as it was, often still open.
      return closing(
        arrival,
        payload,
        actor,
        itemMoment,
        item.open ? item.changed(false, item.labels) : item,
      );
  }
  return activity(arrival, payload, actor, itemMoment, item);
}

/** The host sends the labels after the change; this holds it to that. */
function withLabel(item: LazyItem, label: string, change: LabelEvent["change"]): LazyItem {
  const there = item.labels.includes(label);
  if (there === (change === "added")) return item;
  return item.changed(
    item.open,
    there ? item.labels.filter((name) => name !== label) : [...item.labels, label],
  );
}
