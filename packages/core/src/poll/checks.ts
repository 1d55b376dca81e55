import { isJsonObject, type JsonObject } from "../delivery/admit.ts";
import { idText, time } from "../normalise/fields.ts";
import type { Happening } from "./happening.ts";

/** The webhook for a check run of a commit that has ended; null for one that has not. CI has no actor (decisions.md 5). */
export function checkHappening(raw: unknown, repository: JsonObject): Happening | null {
  if (!isJsonObject(raw) || raw["status"] !== "completed") return null;
  const [id, at] = [idText(raw["id"]), time(raw["completed_at"])];
  if (id === null || at === null) return null;
  const conclusion = typeof raw["conclusion"] === "string" ? raw["conclusion"] : "none";
  return { ...nobody, event: "check_run", payload: { action: "completed", check_run: raw, repository }, identity: `check-run:${id}:completed:${conclusion}:${at}`, at };
}

/** The webhook for a commit status that is not pending any more. The list leaves out the commit, whose list it is. */
export function statusHappening(raw: unknown, sha: string, repository: JsonObject): Happening | null {
  if (!isJsonObject(raw) || raw["state"] === "pending") return null;
  const [id, at] = [idText(raw["id"]), time(raw["updated_at"]) ?? time(raw["created_at"])];
  return id === null || at === null ? null : { ...nobody, event: "status", payload: { ...raw, sha, repository }, identity: `status:${id}`, at };
}

const nobody = { kind: "ci", number: null, current: null, editedNode: null } as const;
