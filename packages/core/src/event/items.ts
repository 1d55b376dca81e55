import { isJsonObject } from "./parse-payload.ts";
import { itemNumber, readLabels } from "./fields.ts";
import { LazyBranches, LazyItem } from "./lazy-item.ts";

/**
 * An issue as an `issues` or `issue_comment` payload shows it; it may stand for a pull request.
 * Null when the shape does not fit.
 */
export function readIssue(value: unknown): LazyItem | null {
  if (!isJsonObject(value)) return null;
  const number = itemNumber(value["number"]);
  if (number === null) return null;
  const pull = value["pull_request"];
  const type = typeof pull === "object" && pull !== null ? "pull-request" : "issue";
  return new LazyItem(
    value,
    type,
    number,
    value["state"] !== "closed",
    readLabels(value["labels"]),
    null,
  );
}

/** A pull request; events about reviews send a shorter one. Null when the shape does not fit. */
export function readPullRequest(value: unknown): LazyItem | null {
  if (!isJsonObject(value)) return null;
  const number = itemNumber(value["number"]);
  const branches = readBranches(value["head"], value["base"]);
  if (number === null || branches === null) return null;
  return new LazyItem(
    value,
    "pull-request",
    number,
    value["state"] !== "closed",
    readLabels(value["labels"]),
    branches,
  );
}

function readBranches(head: unknown, base: unknown): LazyBranches | null {
  if (!isJsonObject(head) || !isJsonObject(base)) return null;
  const headName = head["ref"];
  const headSha = head["sha"];
  const baseName = base["ref"];
  if (typeof headName !== "string" || typeof headSha !== "string" || typeof baseName !== "string")
    return null;
  return new LazyBranches(head, base, headName, headSha, baseName);
}
