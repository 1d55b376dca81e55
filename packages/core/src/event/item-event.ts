import { isJsonObject, type JsonObject } from "./parse-payload.ts";
import { readActor } from "./actor.ts";
import type { ActivityEvent, ClosedEvent, Item, LabelEvent } from "./event.ts";
import { activity, closing, labelChange } from "./build-events.ts";
import { closed } from "./read-item.ts";
import { itemMoment } from "./event-key.ts";
import type { Arrival } from "./normalise.ts";

/** An `issues` or `pull_request` event that is about the item as a whole. */
export function itemEvent(
  arrival: Arrival,
  payload: JsonObject,
  item: Item,
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
      return labelChange(
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
      return closing(arrival, payload, actor, itemMoment, closed(item));
  }
  return activity(arrival, payload, actor, itemMoment, item);
}

/** The host sends the labels after the change; this holds it to that. */
function withLabel(item: Item, label: string, change: LabelEvent["change"]): Item {
  const there = item.labels.includes(label);
  if (there === (change === "added")) return item;
  const labels = there ? item.labels.filter((name) => name !== label) : [...item.labels, label];
  return { ...item, labels };
}
