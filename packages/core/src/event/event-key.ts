import { foldName } from "../accounts/fold-name.ts";
import { isJsonObject, type JsonObject } from "./parse-payload.ts";
import { idText, time } from "./fields.ts";
import type { Arrival } from "./normalise.ts";

/** When something happened by the host's clock, and the semantic key by which it is known again. */
export type Moment = { readonly at: string | null; readonly key: string };

/** Reads the moment of an event whose payload was found to fit. */
export type ReadMoment = (arrival: Arrival, payload: JsonObject) => Moment;

/**
 * Semantic keys name a happening by the host's own ids, so that webhook, poll and redelivery agree
 * on it and no two happenings share one (ADR 0008). `<item>` is `issue:<id>` in `issues`,
 * `pull-request:<id>` in `pull_request`: the host numbers the two apart. The number in its
 * repository stands in where a payload has no id, the delivery id where it has no time. Times have
 * the resolution of the host's clock, one second.
 *
 *     <item>:opened                                  once in its life
 *     <item>:closed:<closed_at>                      may close again after it was reopened
 *     <item>:labeled:<label>:<updated_at>            several labels of one second stay apart
 *     <item>:assigned:<login>:<updated_at>           the same for people, teams and milestones
 *     <item>:synchronize:<before>..<after>           lists give it another time than webhooks: see repetition.ts
 *     <item>:reopened   <item>:edited                the same, also for ready_for_review and converted_to_draft
 *     <item>:review_requested:<login>                the same
 *     <item>:<any other action>:<updated_at>
 *     comment:<id>:created   diff-comment:<id>:created   review:<id>:submitted
 *     comment:<id>:edited:<updated_at>               and the same for the other two
 *     check-run:<id>:completed:<conclusion>:<completed_at>   and the like: see ci-moment.ts
 *     control:<delivery id>                          each request of a person counts
 *
 * Ids are a host's own, so that of another host than the default one the key begins with its
 * domain: `<domain>/comment:…`.
 */
export function itemMoment(arrival: Arrival, payload: JsonObject): Moment {
  const { event, action, repository, deliveryId } = arrival;
  const raw = part(payload, event === "issues" ? "issue" : "pull_request");
  const id =
    idText(raw["id"]) ??
    foldName(`${repository.owner}/${repository.name}#${written(raw["number"])}`);
  const item = event === "issues" ? `issue:${id}` : `pull-request:${id}`;
  const updatedAt = time(raw["updated_at"]);
  switch (action) {
    case "opened":
      return { at: time(raw["created_at"]) ?? updatedAt, key: `${item}:opened` };
    case "closed": {
      const at = time(raw["closed_at"]) ?? updatedAt;
      return { at, key: `${item}:closed:${at ?? deliveryId}` };
    }
    case "synchronize":
      return {
        at: updatedAt,
        key: `${item}:synchronize:${pushOf(payload) ?? updatedAt ?? deliveryId}`,
      };
    case "reopened":
    case "edited":
    case "ready_for_review":
    case "converted_to_draft":
      return { at: updatedAt, key: `${item}:${action}` };
    case "review_requested":
      return { at: updatedAt, key: `${item}:${action}:${changeOf(action, payload)}` };
    default:
      return {
        at: updatedAt,
        key: `${item}:${action}:${changeOf(action, payload)}${updatedAt ?? deliveryId}`,
      };
  }
}

/** A comment in the conversation or on a diff. */
export function commentMoment({ event, action, deliveryId }: Arrival, payload: JsonObject): Moment {
  const raw = part(payload, "comment");
  const name = `${event === "issue_comment" ? "comment" : "diff-comment"}:${written(raw["id"])}`;
  if (action === "created")
    return {
      at: event === "issue_comment" ? time(raw["created_at"]) : submittedAt(raw),
      key: `${name}:created`,
    };
  const at = time(raw["updated_at"]);
  return {
    at,
    key: action === "deleted" ? `${name}:deleted` : `${name}:${action}:${at ?? deliveryId}`,
  };
}

/**
 * When a comment on a diff was said. One that waits in a draft review was created when that was
 * begun, and is changed when it is submitted: before that nobody has seen it, and a request in it
 * asks for nothing.
 */
function submittedAt(comment: JsonObject): string | null {
  return time(comment["updated_at"]) ?? time(comment["created_at"]);
}

export function reviewMoment({ action, deliveryId }: Arrival, payload: JsonObject): Moment {
  const raw = part(payload, "review");
  const name = `review:${written(raw["id"])}`;
  if (action === "submitted") return { at: time(raw["submitted_at"]), key: `${name}:submitted` };
  const at = time(raw["updated_at"]) ?? time(part(payload, "pull_request")["updated_at"]);
  return { at, key: `${name}:${action}:${at ?? deliveryId}` };
}

/** Commits before and after a push; null where the host does not tell. */
function pushOf(payload: JsonObject): string | null {
  const [before, after] = [written(payload["before"]), written(payload["after"])];
  return before === "" && after === "" ? null : `${before}..${after}`;
}

/** What tells happenings of one second apart where an action may come several times in one. */
function changeOf(action: string, payload: JsonObject): string {
  switch (action) {
    case "labeled":
    case "unlabeled": {
      const name = part(payload, "label")["name"];
      return `${typeof name === "string" ? name : ""}:`;
    }
    case "assigned":
    case "unassigned":
      return `${written(part(payload, "assignee")["login"])}:`;
    case "review_requested":
    case "review_request_removed":
      return `${written(part(payload, "requested_reviewer")["login"])}${written(part(payload, "requested_team")["slug"])}:`;
    case "milestoned":
    case "demilestoned":
      return `${written(part(payload, "milestone")["number"])}:`;
    default:
      return "";
  }
}

/** A part of the payload that is an object; an empty one where it is none. */
export function part(payload: JsonObject, name: string): JsonObject {
  const value = payload[name];
  return isJsonObject(value) ? value : nothing;
}

function written(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

const nothing: JsonObject = {};
