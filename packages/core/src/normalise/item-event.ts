import type { JsonObject } from "../delivery/admit.ts";
import { isJsonObject } from "../delivery/admit.ts";
import type { ActivityEvent, Actor, ClosedEvent, Item, LabelEvent } from "./event.ts";
import { readActor, time } from "./fields.ts";
import type { Arrival } from "./normalise.ts";

/**
 * Semantic keys name a happening by the host's own ids, so that webhook, poll and redelivery agree on it and no two
 * happenings share one (decisions.md 5, R20). `<item>` is `issue:<id>` in `issues`, `pull-request:<id>` in
 * `pull_request`: the host numbers the two apart. The number in its repository stands in where a payload has no id, the
 * delivery id where it has no time. Times have the resolution of the host's clock, one second.
 *
 *     <item>:opened                                  once in its life
 *     <item>:closed:<closed_at>                      may close again after it was reopened
 *     <item>:labeled:<label>:<updated_at>            several labels of one second stay apart
 *     <item>:assigned:<login>:<updated_at>           the same for people, teams and milestones
 *     <item>:synchronize:<before>..<after>:<updated_at>
 *     <item>:<any other action>:<updated_at>
 *     comment:<id>:created   diff-comment:<id>:created   review:<id>:submitted
 *     comment:<id>:edited:<updated_at>               and the same for the other two
 *     check-run:<id>:completed:<conclusion>:<completed_at>   and the like: see ci.ts
 *     control:<delivery id>                          each request of a person counts
 */
export function itemKey({ event, repository }: Arrival, item: Item): string {
  const id = item.id ?? `${repository.owner}/${repository.name}#${item.number}`.toLowerCase();
  return event === "issues" ? `issue:${id}` : `pull-request:${id}`;
}

/** An `issues` or `pull_request` event that is about the item as a whole. */
export function itemEvent(arrival: Arrival, payload: JsonObject, item: Item, raw: JsonObject): ActivityEvent | LabelEvent | ClosedEvent {
  const actor = readActor(payload["sender"]);
  const meaning = meanings.get(arrival.action) ?? "other";
  switch (meaning) {
    case "label-added":
      return labelEvent(arrival, payload, actor, item, "added");
    case "label-removed":
      return labelEvent(arrival, payload, actor, item, "removed");
    case "closed":
      return closedEvent(arrival, actor, item, time(raw["closed_at"]) ?? item.updatedAt);
    case "gone":
      return closedEvent(arrival, actor, item, item.updatedAt);
    case "opened":
      return activity(arrival, actor, item, time(raw["created_at"]) ?? item.updatedAt, `${itemKey(arrival, item)}:opened`);
    default: {
      const moment = item.updatedAt ?? arrival.deliveryId;
      return activity(arrival, actor, item, item.updatedAt, `${itemKey(arrival, item)}:${arrival.action}:${changeOf(meaning, payload)}${moment}`);
    }
  }
}

type Meaning = "label-added" | "label-removed" | "closed" | "gone" | "opened" | Detail;
/** Actions of which several can happen in one second, by what tells those apart. */
type Detail = "push" | "person" | "reviewer" | "milestone" | "other";

/** One look-up instead of a comparison with every action there is. */
const meanings: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ["labeled", "label-added"],
  ["unlabeled", "label-removed"],
  ["closed", "closed"],
  ["deleted", "gone"],
  ["transferred", "gone"],
  ["opened", "opened"],
  ["synchronize", "push"],
  ["assigned", "person"],
  ["unassigned", "person"],
  ["review_requested", "reviewer"],
  ["review_request_removed", "reviewer"],
  ["milestoned", "milestone"],
  ["demilestoned", "milestone"],
]);

export function activity(arrival: Arrival, actor: Actor | null, item: Item, at: string | null, key: string): ActivityEvent {
  return {
    kind: "activity",
    deliveryId: arrival.deliveryId,
    source: arrival.source,
    event: arrival.event,
    action: arrival.action,
    repository: arrival.repository,
    actor,
    at,
    key,
    item,
  };
}

/** Without a label in the payload there is nothing to arm by: then it is mere activity. */
function labelEvent(arrival: Arrival, payload: JsonObject, actor: Actor | null, item: Item, change: "added" | "removed"): ActivityEvent | LabelEvent {
  const raw = payload["label"];
  const label = isJsonObject(raw) ? raw["name"] : null;
  const moment = item.updatedAt ?? arrival.deliveryId;
  const key = `${itemKey(arrival, item)}:${arrival.action}:${typeof label === "string" ? label : ""}:${moment}`;
  if (typeof label !== "string") return activity(arrival, actor, item, item.updatedAt, key);
  return {
    kind: "label",
    deliveryId: arrival.deliveryId,
    source: arrival.source,
    event: arrival.event,
    action: arrival.action,
    repository: arrival.repository,
    actor,
    at: item.updatedAt,
    key,
    item: withLabel(item, label, change),
    label,
    change,
  };
}

function closedEvent(arrival: Arrival, actor: Actor | null, item: Item, at: string | null): ClosedEvent {
  return {
    kind: "closed",
    deliveryId: arrival.deliveryId,
    source: arrival.source,
    event: arrival.event,
    action: arrival.action,
    repository: arrival.repository,
    actor,
    at,
    key: `${itemKey(arrival, item)}:${arrival.action}:${at ?? arrival.deliveryId}`,
    // A deleted or transferred issue is sent as it was, often still open.
    item: item.open ? { ...item, open: false } : item,
  };
}

/** The host sends the labels after the change; this holds it to that. */
function withLabel(item: Item, label: string, change: "added" | "removed"): Item {
  const there = item.labels.includes(label);
  if (there === (change === "added")) return item;
  return { ...item, labels: there ? item.labels.filter((name) => name !== label) : [...item.labels, label] };
}

function changeOf(detail: Detail, payload: JsonObject): string {
  switch (detail) {
    case "push":
      return `${part(payload["before"])}..${part(payload["after"])}:`;
    case "person":
      return `${nameOf(payload["assignee"], "login")}:`;
    case "reviewer":
      return `${nameOf(payload["requested_reviewer"], "login")}${nameOf(payload["requested_team"], "slug")}:`;
    case "milestone":
      return `${nameOf(payload["milestone"], "number")}:`;
    case "other":
      return "";
  }
}

function nameOf(value: unknown, key: string): string {
  return isJsonObject(value) ? part(value[key]) : "";
}

function part(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
