import { isJsonObject, type JsonObject } from "../delivery/admit.ts";
import type { CiEvent, Repository } from "./event.ts";
import { commitId, idText, itemNumber, text, time } from "./fields.ts";
import type { Arrival, Understood } from "./normalise.ts";

/**
 * The four events of checks (service.md 6.1). They have no actor (decisions.md 5). Their keys:
 *
 *     check-run:<id>:completed:<conclusion>:<completed_at>         also for a run that was created complete
 *     check-suite:<id>:completed:<conclusion>:<updated_at>         a suite that is run again completes again
 *     workflow-run:<id>:<attempt>:completed:<conclusion>
 *     status:<id>                                                  the host makes a new one for each change
 *     <the same>:<action>:<time>                                   created, requested, in_progress
 *     <the same>:<action>:<delivery id>                            asked for again: each time counts, none can be polled
 */
export function normaliseCheckRun(arrival: Arrival, payload: JsonObject): Understood {
  const run = payload["check_run"];
  if (!isJsonObject(run)) return null;
  const suite = run["check_suite"];
  const branch = isJsonObject(suite) ? text(suite["head_branch"]) : null;
  const phase = arrival.action === "completed" ? "completed" : arrival.action === "created" ? phaseOf(run["status"]) : "queued";
  const at = phase === "completed" ? (time(run["completed_at"]) ?? time(run["started_at"])) : time(run["started_at"]);
  return check(arrival, "check-run", idText(run["id"]), { name: text(run["name"]), sha: run["head_sha"], branch, phase, conclusion: run["conclusion"], url: run["html_url"], pulls: run["pull_requests"], at });
}

export function normaliseCheckSuite(arrival: Arrival, payload: JsonObject): Understood {
  const suite = payload["check_suite"];
  if (!isJsonObject(suite)) return null;
  const app = suite["app"];
  const name = isJsonObject(app) ? (text(app["name"]) ?? text(app["slug"])) : null;
  const phase = arrival.action === "completed" ? "completed" : "queued";
  return check(arrival, "check-suite", idText(suite["id"]), {
    name: name ?? "check suite",
    sha: suite["head_sha"],
    branch: text(suite["head_branch"]),
    phase,
    conclusion: suite["conclusion"],
    url: null,
    pulls: suite["pull_requests"],
    at: time(suite["updated_at"]),
  });
}

export function normaliseWorkflowRun(arrival: Arrival, payload: JsonObject): Understood {
  const run = payload["workflow_run"];
  if (!isJsonObject(run)) return null;
  const phase = arrival.action === "completed" ? "completed" : arrival.action === "in_progress" ? "running" : "queued";
  const id = idText(run["id"]);
  const attempt = idText(run["run_attempt"]) ?? "1";
  return check(arrival, "workflow-run", id === null ? null : `${id}:${attempt}`, {
    name: text(run["name"]) ?? text(run["path"]),
    sha: run["head_sha"],
    branch: text(run["head_branch"]),
    phase,
    conclusion: run["conclusion"],
    url: run["html_url"],
    pulls: run["pull_requests"],
    at: time(run["updated_at"]),
  });
}

/** A commit status names only a commit: it may be the head of several branches, so none of them is taken. */
export function normaliseStatus(arrival: Arrival, payload: JsonObject): Understood {
  const state = payload["state"];
  if (typeof state !== "string" || typeof payload["context"] !== "string") return null;
  const done = state !== "pending";
  return check(arrival, "status", idText(payload["id"]), {
    name: payload["context"],
    sha: payload["sha"],
    branch: null,
    phase: done ? "completed" : "queued",
    conclusion: state,
    url: payload["target_url"],
    pulls: null,
    at: time(payload["updated_at"]) ?? time(payload["created_at"]),
  });
}

type Check = {
  readonly name: string | null;
  readonly sha: unknown;
  readonly branch: string | null;
  readonly phase: CiEvent["check"]["phase"];
  readonly conclusion: unknown;
  readonly url: unknown;
  readonly pulls: unknown;
  readonly at: string | null;
};

function check(arrival: Arrival, kind: string, id: string | null, found: Check): Understood {
  const headSha = commitId(found.sha);
  if (headSha === null || found.name === null || id === null) return null;
  const conclusion = found.phase === "completed" ? text(found.conclusion) : null;
  return {
    kind: "ci",
    deliveryId: arrival.deliveryId,
    source: arrival.source,
    event: arrival.event,
    action: arrival.action,
    repository: arrival.repository,
    actor: null,
    at: found.at,
    key: checkKey(arrival, kind, id, found, conclusion),
    check: {
      name: found.name,
      headSha,
      headBranch: found.branch,
      phase: found.phase,
      conclusion,
      url: text(found.url),
      pullRequests: ownPullRequests(found.pulls, arrival.repository),
    },
  };
}

function checkKey(arrival: Arrival, kind: string, id: string, found: Check, conclusion: string | null): string {
  if (kind === "status") return `status:${id}`;
  if (arrival.action === "rerequested" || arrival.action === "requested_action") return `${kind}:${id}:${arrival.action}:${arrival.deliveryId}`;
  if (found.phase !== "completed") return `${kind}:${id}:${arrival.action}:${found.at ?? arrival.deliveryId}`;
  // The attempt in a workflow run's id already tells completions apart; its time still moves afterwards.
  if (kind === "workflow-run") return `${kind}:${id}:completed:${conclusion ?? "none"}`;
  return `${kind}:${id}:completed:${conclusion ?? "none"}:${found.at ?? arrival.deliveryId}`;
}

function phaseOf(status: unknown): CiEvent["check"]["phase"] {
  return status === "completed" ? "completed" : status === "in_progress" ? "running" : "queued";
}

/** Numbers of the pull requests that are against this repository; the host also lists those of forks' repositories. */
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
