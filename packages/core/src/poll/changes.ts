import { instantOf } from "../text/instant.ts";
import { isJsonObject, type JsonObject } from "../event/parse-payload.ts";
import { type Account, sameAccount } from "../accounts/account.ts";
import { readActor } from "../event/actor.ts";
import { idText, itemNumber, prose, text, time } from "../event/fields.ts";
import { about, type Happening, type HappeningKind, type PolledItem } from "./happening.ts";
import { type Change, rewind } from "./item-as-of.ts";

/** An entry of the host's list of events, as far as it can matter to anybody. */
export type ListedChange = Change & {
  readonly number: number;
  readonly type: "issue" | "pull-request";
  readonly raw: JsonObject;
};

/**
 * Names in the list of events, by the webhook's action for the same. What no decision depends on is
 * left out.
 */
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
  const action = actions.get(prose(raw["event"]));
  const [id, at, number] = [
    Number(idText(raw["id"]) ?? Number.NaN),
    time(raw["created_at"]),
    itemNumber(raw["issue"]["number"]),
  ];
  if (action === undefined || !Number.isSafeInteger(id) || at === null || number === null)
    return null;
  const label = isJsonObject(raw["label"]) ? text(raw["label"]["name"]) : null;
  return {
    id,
    at,
    action,
    label,
    number,
    type: isJsonObject(raw["issue"]["pull_request"]) ? "pull-request" : "issue",
    raw,
  };
}

/**
 * The webhook that the host sends for the change. Who acted comes from the list: it is what closing
 * depends on.
 */
export function changeHappening(
  change: ListedChange,
  subject: PolledItem,
  changes: readonly Change[],
): Happening {
  const { action, at, id, raw } = change;
  const then = rewind(subject.item, changes, { at, id });
  const item =
    action === "closed"
      ? { ...then, state: "closed", closed_at: closedAt(subject.item, change, changes) }
      : then;
  const more =
    action === "edited"
      ? { changes: { title: { from: isJsonObject(raw["rename"]) ? raw["rename"]["from"] : "" } } }
      : {};
  const payload = {
    action,
    ...about(subject, item),
    ...picked(raw, "label", "requested_reviewer", "requested_team"),
    ...more,
    ...senderOf(raw["actor"]),
  };
  // A closing is found by two ways, this one and reconciliation; both give it one name.
  const identity = action === "closed" ? closingIdentity(subject, item) : `event:${id}`;
  return happening(subject, payload, identity, at, action === "closed" ? "closed" : "change");
}

/**
 * Somebody opened it; the list of items says so. Labels of that second are there already. Null for
 * what lacks a time.
 */
export function openedHappening(subject: PolledItem, changes: readonly Change[]): Happening | null {
  const at = time(subject.item["created_at"]);
  if (at === null) return null;
  const then = {
    ...rewind(subject.item, changes, { at, id: null }),
    state: "open",
    closed_at: null,
  };
  return happening(
    subject,
    { action: "opened", ...about(subject, then), ...senderOf(subject.item["user"]) },
    `${subject.type}:${subject.number}:opened`,
    at,
    "opened",
  );
}

/** One push to a branch, out of the host's list of activity. */
export type ListedPush = {
  readonly before: string;
  readonly after: string;
  readonly at: string;
  readonly actor: unknown;
};

/** Reads one entry; null for what is no push, such as a branch that was made or deleted. */
export function readPush(raw: unknown): ListedPush | null {
  if (
    !isJsonObject(raw) ||
    (raw["activity_type"] !== "push" && raw["activity_type"] !== "force_push")
  )
    return null;
  const { before, after } = raw;
  const at = time(raw["timestamp"]);
  return typeof before === "string" && typeof after === "string" && at !== null
    ? { before, after, at, actor: raw["actor"] }
    : null;
}

/**
 * The head of a pull request has moved from `before`. `pushes` are those to its branch, newest
 * first: each that leads to the head is told with who made it. Where the list does not show them
 * the move is told by itself and by nobody, so that it is remembered and wakes nobody.
 */
export function pushHappenings(
  subject: PolledItem,
  before: string,
  pushes: readonly ListedPush[],
): readonly Happening[] {
  const head = subject.item["head"];
  const [after, at] = [isJsonObject(head) ? head["sha"] : null, time(subject.item["updated_at"])];
  if (typeof after !== "string" || at === null || after === before) return [];
  const made = leadingTo(after, before, pushes);
  return (made.length === 0 ? [{ before, after, at, actor: undefined }] : made).map((push) => {
    const item = {
      ...subject.item,
      head: { ...(isJsonObject(head) ? head : {}), sha: push.after },
      updated_at: push.at,
    };
    const payload = {
      action: "synchronize",
      before: push.before,
      after: push.after,
      ...about(subject, item),
      ...senderOf(push.actor),
    };
    return happening(
      subject,
      payload,
      `pull-request:${subject.number}:push:${push.before}..${push.after}:${push.at}`,
      push.at,
      "push",
    );
  });
}

/**
 * The row of pushes that ends at the head, oldest first, back to the one that began where we were.
 */
function leadingTo(
  head: string,
  from: string,
  pushes: readonly ListedPush[],
): readonly ListedPush[] {
  const found: ListedPush[] = [];
  let next = head;
  for (const push of pushes) {
    if (push.after !== next) continue;
    found.unshift(push);
    next = push.before;
    if (next === from) break;
  }
  return found;
}

/**
 * Its text is another than before. `editor` is who the host says changed it last, undefined when it
 * does not say.
 */
export function editedHappening(
  subject: PolledItem,
  changes: readonly Change[],
  edit: { readonly at: string; readonly editor: Account | undefined } | null,
): Happening | null {
  const at = time(edit?.at) ?? time(subject.item["updated_at"]);
  if (at === null) return null;
  const payload = {
    action: "edited",
    changes: { body: {} },
    ...about(subject, rewind(subject.item, changes, { at, id: null })),
    ...senderOf(edit?.editor === undefined ? undefined : named(edit.editor, subject.item["user"])),
  };
  return happening(
    subject,
    payload,
    `${subject.type}:${subject.number}:edited:${at}`,
    at,
    "change",
  );
}

/**
 * Found closed by looking at it; `actor` is who closed it, undefined when the host does not say:
 * then the closing is deferred.
 */
export function closedHappening(subject: PolledItem, actor: unknown): Happening | null {
  const at = time(subject.item["closed_at"]) ?? time(subject.item["updated_at"]);
  if (at === null) return null;
  const item = { ...subject.item, updated_at: at };
  return happening(
    subject,
    { action: "closed", ...about(subject, item), ...senderOf(actor) },
    closingIdentity(subject, item),
    at,
    "closed",
  );
}

/**
 * It is not there any more. Nobody is named, so that nothing is released unless a person says so.
 */
export function goneHappening(
  subject: PolledItem,
  action: "deleted" | "transferred",
  at: string,
): Happening {
  const item = { ...subject.item, number: subject.number, state: "closed", updated_at: at };
  return happening(
    subject,
    { action, ...about({ ...subject, type: "issue" }, item) },
    `issue:${subject.number}:${action}`,
    at,
    "closed",
  );
}

function happening(
  subject: PolledItem,
  payload: JsonObject,
  identity: string,
  at: string,
  kind: HappeningKind,
): Happening {
  const event = payload["issue"] === undefined ? "pull_request" : "issues";
  return {
    event,
    payload,
    identity,
    at,
    kind,
    number: subject.number,
    current: subject.item,
    editedNode: null,
  };
}

const closingIdentity = (subject: PolledItem, item: JsonObject): string =>
  `${subject.type}:${subject.number}:closed:${time(item["closed_at"]) ?? ""}`;

/**
 * The item's own time of closing where it means this one, so that webhook and poll give the closing
 * the same name. An earlier closing has only its event's.
 */
function closedAt(item: JsonObject, { id, at }: ListedChange, changes: readonly Change[]): string {
  const known = changes.some((other) => other.action === "closed" && other.id > id)
    ? null
    : time(item["closed_at"]);
  const apart = Math.abs((instantOf(known) ?? 0) - (instantOf(at) ?? 0));
  return known !== null && apart <= 5_000 ? known : at;
}

function picked(raw: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.flatMap((name) => (raw[name] === undefined ? [] : [[name, raw[name]]])),
  );
}

/**
 * An account of the query language as payloads show one; the author as the listing shows them, if
 * that is who it is.
 */
export function named(account: Account, author: unknown): JsonObject {
  const known = readActor(author);
  if (known !== null && isJsonObject(author) && sameAccount(account, known)) return author;
  const { login, id, bot } = account;
  return { login, ...(id === null ? {} : { id }), type: bot ? "Bot" : "User" };
}

export function senderOf(actor: unknown): JsonObject {
  return isJsonObject(actor) ? { sender: actor } : {};
}
