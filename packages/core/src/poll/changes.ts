import { instantOf } from "../decide/instant.ts";
import { isJsonObject, type JsonObject } from "../delivery/admit.ts";
import { idText, itemNumber, time } from "../normalise/fields.ts";
import { about, type Happening, type HappeningKind, type Subject } from "./happening.ts";
import { type Change, rewind } from "./rewind.ts";

/** An entry of the host's list of events, as far as it can matter to anybody. */
export type ListedChange = Change & { readonly number: number; readonly type: "issue" | "pull-request"; readonly raw: JsonObject };

/** Names in the list of events, by the webhook's action for the same. What no decision depends on is left out. */
const actions: ReadonlyMap<string, string> = new Map([
  ["labeled", "labeled"],
  ["unlabeled", "unlabeled"],
  ["closed", "closed"],
  ["reopened", "reopened"],
  ["renamed", "edited"],
  ["ready_for_review", "ready_for_review"],
  ["convert_to_draft", "converted_to_draft"],
  ["review_requested", "review_requested"],
]);

/** Reads one entry; null for what does not matter or does not fit. */
export function readChange(raw: unknown): ListedChange | null {
  if (!isJsonObject(raw) || !isJsonObject(raw["issue"])) return null;
  const action = actions.get(typeof raw["event"] === "string" ? raw["event"] : "");
  const [id, at, number] = [Number(idText(raw["id"]) ?? Number.NaN), time(raw["created_at"]), itemNumber(raw["issue"]["number"])];
  if (action === undefined || !Number.isSafeInteger(id) || at === null || number === null) return null;
  const label = isJsonObject(raw["label"]) && typeof raw["label"]["name"] === "string" ? raw["label"]["name"] : null;
  return { id, at, action, label, number, type: isJsonObject(raw["issue"]["pull_request"]) ? "pull-request" : "issue", raw };
}

/** The webhook that the host sends for the change. Who acted comes from the list: it is what closing depends on (decisions.md 5). */
export function changeHappening(change: ListedChange, subject: Subject, changes: readonly Change[]): Happening {
  const { action, at, id, raw } = change;
  const then = rewind(subject.item, changes, { at, id });
  const item = action === "closed" ? { ...then, state: "closed", closed_at: closedAt(subject.item, at) } : then;
  const more = action === "edited" ? { changes: { title: { from: isJsonObject(raw["rename"]) ? raw["rename"]["from"] : "" } } } : {};
  const payload = { action, ...about(subject, item), ...picked(raw, "label", "requested_reviewer", "requested_team"), ...more, ...senderOf(raw["actor"]) };
  // A closing is found by two ways, this one and reconciliation; both give it one name.
  const identity = action === "closed" ? closingIdentity(subject, item) : `event:${id}`;
  return happening(subject, payload, identity, at, action === "closed" ? "closed" : "change");
}

/** Somebody opened it; the list of items says so. Labels of that second are there already. Null for what lacks a time. */
export function openedHappening(subject: Subject, changes: readonly Change[]): Happening | null {
  const at = time(subject.item["created_at"]);
  if (at === null) return null;
  const then = { ...rewind(subject.item, changes, { at, id: null }), state: "open", closed_at: null };
  return happening(subject, { action: "opened", ...about(subject, then), ...senderOf(subject.item["user"]) }, `${subject.type}:${subject.number}:opened`, at, "opened");
}

/** The head of a pull request has moved. Who pushed is not told, so this is remembered and wakes nobody (decisions.md 5, Actor). */
export function pushHappening(subject: Subject, before: string): Happening | null {
  const head = subject.item["head"];
  const [after, at] = [isJsonObject(head) ? head["sha"] : null, time(subject.item["updated_at"])];
  if (typeof after !== "string" || at === null || after === before) return null;
  return happening(subject, { action: "synchronize", before, after, ...about(subject, subject.item) }, `pull-request:${subject.number}:head:${after}`, at, "push");
}

/** Found closed by looking at it; `actor` is who closed it, undefined when the host does not say: then the closing is deferred. */
export function closedHappening(subject: Subject, actor: unknown): Happening | null {
  const at = time(subject.item["closed_at"]) ?? time(subject.item["updated_at"]);
  if (at === null) return null;
  const item = { ...subject.item, updated_at: at };
  return happening(subject, { action: "closed", ...about(subject, item), ...senderOf(actor) }, closingIdentity(subject, item), at, "closed");
}

/** It is not there any more. Nobody is named, so that nothing is released unless a person says so. */
export function goneHappening(subject: Subject, action: "deleted" | "transferred", at: string): Happening {
  const item = { ...subject.item, number: subject.number, state: "closed", updated_at: at };
  return happening(subject, { action, ...about({ ...subject, type: "issue" }, item) }, `issue:${subject.number}:${action}`, at, "closed");
}

function happening(subject: Subject, payload: JsonObject, identity: string, at: string, kind: HappeningKind): Happening {
  const event = payload["issue"] === undefined ? "pull_request" : "issues";
  return { event, payload, identity, at, kind, number: subject.number, current: subject.item, editedNode: null };
}

const closingIdentity = (subject: Subject, item: JsonObject): string => `${subject.type}:${subject.number}:closed:${time(item["closed_at"]) ?? ""}`;

/** The item's own time of closing where it means this one, so that webhook and poll give the closing the same name. */
function closedAt(item: JsonObject, at: string): string {
  const known = time(item["closed_at"]);
  const apart = Math.abs((instantOf(known) ?? 0) - (instantOf(at) ?? 0));
  return known !== null && apart <= 5_000 ? known : at;
}

function picked(raw: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (raw[name] === undefined ? [] : [[name, raw[name]]])));
}

export function senderOf(actor: unknown): JsonObject {
  return isJsonObject(actor) ? { sender: actor } : {};
}
