import { readActor } from "./actor.ts";
import type { Branches, Item, Listed } from "./event.ts";
import { idText, itemNumber, prose, readLabels, text, time } from "./fields.ts";
import { isJsonObject, type JsonObject } from "./parse-payload.ts";

/**
 * An issue as an `issues` or `issue_comment` payload shows it; it may stand for a pull request.
 * Null when the shape does not fit.
 */
export function readIssue(value: unknown): Item | null {
  if (!isJsonObject(value)) return null;
  const number = itemNumber(value["number"]);
  if (number === null) return null;
  const pull = value["pull_request"];
  const type = typeof pull === "object" && pull !== null ? "pull-request" : "issue";
  return itemOf(value, type, number, null);
}

/** A pull request; events about reviews send a shorter one. Null when the shape does not fit. */
export function readPullRequest(value: unknown): Item | null {
  if (!isJsonObject(value)) return null;
  const number = itemNumber(value["number"]);
  const branches = readBranches(value["head"], value["base"]);
  if (number === null || branches === null) return null;
  return itemOf(value, "pull-request", number, branches);
}

/** The item, closed, where its payload still shows it as open. */
export function closed(item: Item): Item {
  return item.open ? { ...item, open: false, reopened: undefined } : item;
}

function itemOf(
  raw: JsonObject,
  type: Item["type"],
  number: number,
  branches: Branches | null,
): Item {
  const open = raw["state"] !== "closed";
  const listed = readListed(raw[listedField]);
  return {
    type,
    number,
    id: idText(raw["id"]),
    title: prose(raw["title"]),
    body: prose(raw["body"]),
    url: text(raw["html_url"]),
    open,
    labels: readLabels(raw["labels"]),
    author: readActor(raw["user"]),
    updatedAt: time(raw["updated_at"]),
    branches,
    merged: isMerged(raw, branches),
    ...(open && raw["state_reason"] === "reopened" ? { reopened: true } : {}),
    ...(listed === null ? {} : { listed }),
  };
}

/** An issue that stands for a pull request says it in a part of its own. */
function isMerged(raw: JsonObject, branches: Branches | null): boolean {
  if (branches !== null) return raw["merged"] === true || typeof raw["merged_at"] === "string";
  const pull = raw["pull_request"];
  return isJsonObject(pull) && typeof pull["merged_at"] === "string";
}

/** Field of an item in which the poller says when it read the text; no host sends it. */
export const listedField = "loop_listed";

function readListed(listed: unknown): Listed | null {
  if (!isJsonObject(listed)) return null;
  const [at, since] = [time(listed["at"]), listed["since"]];
  return at !== null && (since === "same" || since === "changed" || since === "new")
    ? { at, since }
    : null;
}

/**
 * `head.repo` is null once a fork was deleted; then the head is in no repository that we know.
 */
function readBranches(head: unknown, base: unknown): Branches | null {
  if (!isJsonObject(head) || !isJsonObject(base)) return null;
  const headName = head["ref"];
  const headSha = head["sha"];
  const baseName = base["ref"];
  if (typeof headName !== "string" || typeof headSha !== "string" || typeof baseName !== "string")
    return null;
  const [home, against] = [head["repo"], base["repo"]];
  return {
    head: headName,
    headSha,
    headRepository: isJsonObject(home) ? text(home["full_name"]) : null,
    headOwner: isJsonObject(home) ? readActor(home["owner"]) : null,
    base: baseName,
    sameRepository:
      isJsonObject(home) &&
      isJsonObject(against) &&
      typeof home["id"] === "number" &&
      home["id"] === against["id"],
  };
}
