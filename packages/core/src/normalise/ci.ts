import { isJsonObject, type JsonObject } from "../delivery/admit.ts";
import type { CiEvent, Repository } from "./event.ts";
import { commitId, idText, itemNumber, text, time } from "./fields.ts";
import type { Arrival, Understood } from "./normalise.ts";

/**
 * The four events of checks (service.md 6.1). They have no actor (decisions.md 5). Their keys:
 *
 *     check-run:<id>:completed:<conclusion>:<completed_at>         also for a run that was created complete
 *     check-suite:<id>:completed:<conclusion>:<updated_at>         a suite that is run again completes again
 *     workflow-run:<id>:<attempt>:completed:<conclusion>           the attempt tells completions apart, its time still moves
 *     status:<id>                                                  the host makes a new one for each change
 *     <the same>:<action>:<time>                                   created, requested, in_progress
 *     <the same>:<action>:<delivery id>                            asked for again: each time counts, none can be polled
 */
export function normaliseCheckRun(arrival: Arrival, payload: JsonObject): Understood {
  const run = payload["check_run"];
  if (!isJsonObject(run)) return null;
  const id = idText(run["id"]);
  const name = run["name"];
  const headSha = commitId(run["head_sha"]);
  if (id === null || typeof name !== "string" || headSha === null) return null;
  const suite = run["check_suite"];
  const branch = isJsonObject(suite) ? text(suite["head_branch"]) : null;
  const { action } = arrival;
  const phase = action === "completed" ? "completed" : action === "created" ? phaseOf(run["status"]) : "queued";
  const startedAt = time(run["started_at"]);
  const at = phase === "completed" ? (time(run["completed_at"]) ?? startedAt) : startedAt;
  const conclusion = phase === "completed" ? text(run["conclusion"]) : null;
  const key = keyOf(arrival, `check-run:${id}`, phase, conclusion, at);
  return ciEvent(arrival, at, key, { name, headSha, headBranch: branch, phase, conclusion, url: text(run["html_url"]), pullRequests: ownPullRequests(run["pull_requests"], arrival.repository) });
}

export function normaliseCheckSuite(arrival: Arrival, payload: JsonObject): Understood {
  const suite = payload["check_suite"];
  if (!isJsonObject(suite)) return null;
  const id = idText(suite["id"]);
  const headSha = commitId(suite["head_sha"]);
  if (id === null || headSha === null) return null;
  const app = suite["app"];
  const name = isJsonObject(app) ? (text(app["name"]) ?? text(app["slug"])) : null;
  const phase = arrival.action === "completed" ? "completed" : "queued";
  const at = time(suite["updated_at"]);
  const conclusion = phase === "completed" ? text(suite["conclusion"]) : null;
  const key = keyOf(arrival, `check-suite:${id}`, phase, conclusion, at);
  return ciEvent(arrival, at, key, { name: name ?? "check suite", headSha, headBranch: text(suite["head_branch"]), phase, conclusion, url: null, pullRequests: ownPullRequests(suite["pull_requests"], arrival.repository) });
}

export function normaliseWorkflowRun(arrival: Arrival, payload: JsonObject): Understood {
  const run = payload["workflow_run"];
  if (!isJsonObject(run)) return null;
  const id = idText(run["id"]);
  const name = text(run["name"]) ?? text(run["path"]);
  const headSha = commitId(run["head_sha"]);
  if (id === null || name === null || headSha === null) return null;
  const { action } = arrival;
  const phase = action === "completed" ? "completed" : action === "in_progress" ? "running" : "queued";
  const at = time(run["updated_at"]);
  const conclusion = phase === "completed" ? text(run["conclusion"]) : null;
  const attempt = `workflow-run:${id}:${idText(run["run_attempt"]) ?? "1"}`;
  const key = phase === "completed" ? `${attempt}:completed:${conclusion ?? "none"}` : keyOf(arrival, attempt, phase, conclusion, at);
  return ciEvent(arrival, at, key, { name, headSha, headBranch: text(run["head_branch"]), phase, conclusion, url: text(run["html_url"]), pullRequests: ownPullRequests(run["pull_requests"], arrival.repository) });
}

/** A commit status names only a commit: it may be the head of several branches, so none of them is taken. */
export function normaliseStatus(arrival: Arrival, payload: JsonObject): Understood {
  const id = idText(payload["id"]);
  const name = payload["context"];
  const state = payload["state"];
  const headSha = commitId(payload["sha"]);
  if (id === null || typeof name !== "string" || typeof state !== "string" || headSha === null) return null;
  const done = state !== "pending";
  const at = time(payload["updated_at"]) ?? time(payload["created_at"]);
  return ciEvent(arrival, at, `status:${id}`, { name, headSha, headBranch: null, phase: done ? "completed" : "queued", conclusion: done ? state : null, url: text(payload["target_url"]), pullRequests: none });
}

function ciEvent(arrival: Arrival, at: string | null, key: string, check: CiEvent["check"]): CiEvent {
  return {
    kind: "ci",
    deliveryId: arrival.deliveryId,
    source: arrival.source,
    event: arrival.event,
    action: arrival.action,
    repository: arrival.repository,
    actor: null,
    at,
    key,
    check,
  };
}

function keyOf(arrival: Arrival, subject: string, phase: CiEvent["check"]["phase"], conclusion: string | null, at: string | null): string {
  if (phase === "completed") return `${subject}:completed:${conclusion ?? "none"}:${at ?? arrival.deliveryId}`;
  const again = arrival.action === "rerequested" || arrival.action === "requested_action";
  return `${subject}:${arrival.action}:${again ? arrival.deliveryId : (at ?? arrival.deliveryId)}`;
}

function phaseOf(status: unknown): CiEvent["check"]["phase"] {
  return status === "completed" ? "completed" : status === "in_progress" ? "running" : "queued";
}

/** Numbers of the pull requests that are against this repository; the host also lists those of other repositories. */
function ownPullRequests(value: unknown, repository: Repository): readonly number[] {
  if (!Array.isArray(value) || value.length === 0) return none;
  const entries: readonly unknown[] = value;
  const numbers: number[] = [];
  for (const entry of entries) {
    if (!isJsonObject(entry)) continue;
    const number = itemNumber(entry["number"]);
    if (number !== null && isAgainst(entry["base"], repository)) numbers.push(number);
  }
  return numbers;
}

function isAgainst(base: unknown, repository: Repository): boolean {
  const repo = isJsonObject(base) ? base["repo"] : null;
  if (!isJsonObject(repo)) return false;
  const id = idText(repo["id"]);
  return id === null || repository.id === null ? repo["name"] === repository.name : id === repository.id;
}

const none: readonly number[] = [];
