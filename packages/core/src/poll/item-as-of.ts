import { isBefore } from "../text/instant.ts";
import { isJsonObject, type JsonObject } from "../event/parse-payload.ts";
import { time } from "../event/fields.ts";
import { sameName } from "../ref/ref.ts";
import { newerOf } from "./cursor.ts";

/**
 * An issue or pull request as it was when something happened. A listing shows items as they were
 * when it was asked for; a webhook shows them as they were at that moment. The changes that came
 * later are taken back, newest first, so that both say the same: a comment that was written before
 * the label came shows no label, and a label before a closing shows an open item. What happened
 * after the item was listed and up to the moment is carried out. A moment that is no change itself
 * shows the item no newer than anything is known of it: what is said of one that has been closed
 * since it was listed must not show it open.
 */
export function rewind(item: JsonObject, changes: readonly Change[], moment: Moment): JsonObject {
  const later = changes.filter(
    (change) =>
      isBefore(moment.at, change.at) ||
      (change.at === moment.at && moment.id !== null && change.id > moment.id),
  );
  const listedAt = time(item["updated_at"]);
  const missed = changes
    .filter((change) => isBefore(listedAt, change.at) && !later.includes(change))
    .toSorted(byId);
  const known = missed.reduce(carriedOut, later.toSorted(byId).reduceRight(takenBack, item));
  const knownAt = missed.reduce((newest, { at }) => newerOf(newest, at) ?? at, listedAt);
  return {
    ...known,
    updated_at: moment.id === null && isBefore(knownAt, moment.at) ? knownAt : moment.at,
  };
}

const byId = (a: Change, b: Change): number => a.id - b.id;

function takenBack(item: JsonObject, { action, label }: Change): JsonObject {
  if (action === "closed")
    return { ...item, ...unmerged(item), ...reasoned(item, null), state: "open", closed_at: null };
  if (action === "reopened") return { ...item, ...reasoned(item, null), state: "closed" };
  return label === null
    ? item
    : relabelled(item, label, { labeled: false, unlabeled: true }[action]);
}

function carriedOut(item: JsonObject, { action, label, at }: Change): JsonObject {
  if (action === "closed")
    return { ...item, ...reasoned(item, null), state: "closed", closed_at: at };
  if (action === "reopened")
    return { ...item, ...reasoned(item, "reopened"), state: "open", closed_at: null };
  return label === null
    ? item
    : relabelled(item, label, { labeled: true, unlabeled: false }[action]);
}

/**
 * Why it is in the state that it had then; a closing's own reason is not on the list. Pull requests
 * have none.
 */
function reasoned(item: JsonObject, reason: "reopened" | null): JsonObject {
  return typeof item["state_reason"] === "string" ? { state_reason: reason } : {};
}

/** With the label, or without it; undefined for as it is. */
function relabelled(item: JsonObject, label: string, has: boolean | undefined): JsonObject {
  if (has === undefined) return item;
  const labels = listOf(item["labels"]);
  const others = labels.filter((each) => !isLabel(each, label));
  if (has && others.length < labels.length) return item;
  return { ...item, labels: has ? [...others, { name: label }] : others };
}

/** A change of an item out of the host's list of events. Ids grow with time. */
export type Change = {
  readonly id: number;
  readonly at: string;
  readonly action: string;
  readonly label: string | null;
};

/**
 * `id` is the event's own where it is one, so that it is not taken back itself; null takes back
 * only what came in a later second.
 */
export type Moment = { readonly at: string; readonly id: number | null };

/** Before it was closed it was not merged either. */
function unmerged(item: JsonObject): JsonObject {
  const pull = item["pull_request"];
  if (isJsonObject(pull)) return { pull_request: { ...pull, merged_at: null } };
  return item["head"] === undefined ? {} : { merged: false, merged_at: null };
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function isLabel(value: unknown, name: string): boolean {
  const found = isJsonObject(value) ? value["name"] : value;
  return typeof found === "string" && sameName(found, name);
}
