import type { JsonObject } from "./parse-payload.ts";
import type {
  ActivityEvent,
  Actor,
  CiEvent,
  ClosedEvent,
  Comment,
  CommentEvent,
  Item,
  LabelEvent,
} from "./event.ts";
import type { ReadMoment } from "./event-key.ts";
import type { Arrival } from "./normalise.ts";

export function activity(
  arrival: Arrival,
  payload: JsonObject,
  actor: Actor | null,
  readMoment: ReadMoment,
  item: Item,
): ActivityEvent {
  return { kind: "activity", ...common(arrival, payload, actor, readMoment), item };
}

export function closing(
  arrival: Arrival,
  payload: JsonObject,
  actor: Actor | null,
  readMoment: ReadMoment,
  item: Item,
): ClosedEvent {
  return { kind: "closed", ...common(arrival, payload, actor, readMoment), item };
}

export function labelChange(
  arrival: Arrival,
  payload: JsonObject,
  actor: Actor | null,
  readMoment: ReadMoment,
  item: Item,
  label: string,
  change: LabelEvent["change"],
): LabelEvent {
  return { kind: "label", ...common(arrival, payload, actor, readMoment), item, label, change };
}

export function commenting(
  arrival: Arrival,
  payload: JsonObject,
  actor: Actor | null,
  readMoment: ReadMoment,
  item: Item,
  surface: CommentEvent["surface"],
  change: CommentEvent["change"],
  comment: Comment,
): CommentEvent {
  return {
    kind: "comment",
    ...common(arrival, payload, actor, readMoment),
    item,
    surface,
    change,
    comment,
  };
}

export function checking(
  arrival: Arrival,
  payload: JsonObject,
  readMoment: ReadMoment,
  check: CiEvent["check"],
): CiEvent {
  return { kind: "ci", ...common(arrival, payload, null, readMoment), check };
}

/** What the events of the host have in common. */
function common(
  arrival: Arrival,
  payload: JsonObject,
  actor: Actor | null,
  readMoment: ReadMoment,
): Omit<ActivityEvent, "kind" | "item"> {
  const { deliveryId, source, event, action, repository } = arrival;
  const { at, key } = readMoment(arrival, payload);
  return {
    deliveryId,
    source,
    event,
    action,
    repository,
    actor,
    at,
    key: repository.host === null ? key : `${repository.host}/${key}`,
  };
}
