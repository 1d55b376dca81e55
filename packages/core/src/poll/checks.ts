import { isJsonObject, type JsonObject } from "../delivery/admit.ts";
import { idText, time } from "../normalise/fields.ts";
import type { Happening } from "./happening.ts";

/**
 * The webhook for a check run of a commit that has ended; null for one that has not. CI has no
 * actor.
 */
export function checkHappening(raw: unknown, repository: JsonObject): Happening | null {
  if (!isJsonObject(raw) || raw["status"] !== "completed") return null;
  const [id, at] = [idText(raw["id"]), time(raw["completed_at"])];
  if (id === null || at === null) return null;
  return {
    ...nobody,
    event: "check_run",
    payload: { action: "completed", check_run: raw, repository },
    identity: `check-run:${id}:completed:${conclusionOf(raw)}:${at}`,
    at,
  };
}

/** The webhook for a suite of checks that has ended; a suite that is run again ends again. */
export function suiteHappening(raw: unknown, repository: JsonObject): Happening | null {
  if (!isJsonObject(raw) || raw["status"] !== "completed") return null;
  const [id, at] = [idText(raw["id"]), time(raw["updated_at"])];
  return id === null || at === null
    ? null
    : {
        ...nobody,
        event: "check_suite",
        payload: { action: "completed", check_suite: raw, repository },
        identity: `check-suite:${id}:completed:${conclusionOf(raw)}:${at}`,
        at,
      };
}

/** The webhook for a workflow run that has ended; its attempts are told apart. */
export function workflowHappening(raw: unknown, repository: JsonObject): Happening | null {
  if (!isJsonObject(raw) || raw["status"] !== "completed") return null;
  const [id, at] = [idText(raw["id"]), time(raw["updated_at"])];
  return id === null || at === null
    ? null
    : {
        ...nobody,
        event: "workflow_run",
        payload: { action: "completed", workflow_run: raw, repository },
        identity: `workflow-run:${id}:${idText(raw["run_attempt"]) ?? "1"}:completed:${conclusionOf(raw)}`,
        at,
      };
}

/**
 * The webhook for a commit status that is not pending any more. The list leaves out the commit,
 * whose list it is.
 */
export function statusHappening(
  raw: unknown,
  sha: string,
  repository: JsonObject,
): Happening | null {
  if (!isJsonObject(raw) || raw["state"] === "pending") return null;
  const [id, at] = [idText(raw["id"]), time(raw["updated_at"]) ?? time(raw["created_at"])];
  return id === null || at === null
    ? null
    : {
        ...nobody,
        event: "status",
        payload: { ...raw, sha, repository },
        identity: `status:${id}`,
        at,
      };
}

const conclusionOf = (raw: JsonObject): string =>
  typeof raw["conclusion"] === "string" ? raw["conclusion"] : "none";
const nobody = { kind: "ci", number: null, current: null, editedNode: null } as const;
