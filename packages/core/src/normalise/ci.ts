import { isJsonObject, type JsonObject } from "../delivery/admit.ts";
import { checkRunMoment, checkRunPhase, checkSuiteMoment, statusMoment, workflowRunMoment } from "./ci-moment.ts";
import type { CiEvent, Repository } from "./event.ts";
import { commitId, idText, itemNumber, text } from "./fields.ts";
import { Checking } from "./happening.ts";
import type { Arrival, Understood } from "./normalise.ts";

/** The four events of checks (service.md 6.1). They have no actor (decisions.md 5). */
export function normaliseCheckRun(arrival: Arrival, payload: JsonObject): Understood {
  const run = payload["check_run"];
  if (!isJsonObject(run)) return null;
  const name = run["name"];
  const headSha = commitId(run["head_sha"]);
  if (idText(run["id"]) === null || typeof name !== "string" || headSha === null) return null;
  const suite = run["check_suite"];
  const branch = isJsonObject(suite) ? text(suite["head_branch"]) : null;
  const phase = checkRunPhase(arrival, run);
  const conclusion = phase === "completed" ? text(run["conclusion"]) : null;
  return new Checking(arrival, payload, checkRunMoment, { name, headSha, headBranch: branch, phase, conclusion, url: text(run["html_url"]), ...ownPullRequests(run["pull_requests"], arrival.repository), source: appOf(run["app"]), run: isJsonObject(suite) ? idText(suite["id"]) : null });
}

export function normaliseCheckSuite(arrival: Arrival, payload: JsonObject): Understood {
  const suite = payload["check_suite"];
  if (!isJsonObject(suite)) return null;
  const headSha = commitId(suite["head_sha"]);
  if (idText(suite["id"]) === null || headSha === null) return null;
  const app = suite["app"];
  const name = isJsonObject(app) ? (text(app["name"]) ?? text(app["slug"])) : null;
  const phase = arrival.action === "completed" ? "completed" : "queued";
  const conclusion = phase === "completed" ? text(suite["conclusion"]) : null;
  return new Checking(arrival, payload, checkSuiteMoment, { name: name ?? "check suite", headSha, headBranch: text(suite["head_branch"]), phase, conclusion, url: null, ...ownPullRequests(suite["pull_requests"], arrival.repository), source: appOf(app), run: idText(suite["id"]) });
}

export function normaliseWorkflowRun(arrival: Arrival, payload: JsonObject): Understood {
  const run = payload["workflow_run"];
  if (!isJsonObject(run)) return null;
  const name = text(run["name"]) ?? text(run["path"]);
  const headSha = commitId(run["head_sha"]);
  if (idText(run["id"]) === null || name === null || headSha === null) return null;
  const { action } = arrival;
  const phase = action === "completed" ? "completed" : action === "in_progress" ? "running" : "queued";
  const conclusion = phase === "completed" ? text(run["conclusion"]) : null;
  return new Checking(arrival, payload, workflowRunMoment, { name, headSha, headBranch: text(run["head_branch"]), phase, conclusion, url: text(run["html_url"]), ...ownPullRequests(run["pull_requests"], arrival.repository), source: workflowOf(run), run: null });
}

/** A commit status names only a commit: it may be the head of several branches, so none of them is taken. */
export function normaliseStatus(arrival: Arrival, payload: JsonObject): Understood {
  const name = payload["context"];
  const state = payload["state"];
  const headSha = commitId(payload["sha"]);
  if (idText(payload["id"]) === null || typeof name !== "string" || typeof state !== "string" || headSha === null) return null;
  const done = state !== "pending";
  return new Checking(arrival, payload, statusMoment, { name, headSha, headBranch: null, phase: done ? "completed" : "queued", conclusion: done ? state : null, url: text(payload["target_url"]), pullRequests: none, pullRequestHead: null, source: null, run: null });
}

/** The app is the same for every commit; its name may change. */
function appOf(app: unknown): string | null {
  return isJsonObject(app) ? (text(app["slug"]) ?? idText(app["id"])) : null;
}

/** A workflow is run by several triggers on one commit, such as `push` and `pull_request`, each of which ends as it likes. */
function workflowOf(run: JsonObject): string | null {
  const workflow = idText(run["workflow_id"]) ?? text(run["path"]);
  const trigger = text(run["event"]);
  return workflow === null || trigger === null ? workflow : `${workflow} ${trigger}`;
}

/** The pull requests that are against this repository, and the head of the first; the host also lists those of other repositories. */
function ownPullRequests(value: unknown, repository: Repository): Pick<CiEvent["check"], "pullRequests" | "pullRequestHead"> {
  if (!Array.isArray(value) || value.length === 0) return { pullRequests: none, pullRequestHead: null };
  const entries: readonly unknown[] = value;
  const pullRequests: number[] = [];
  let pullRequestHead: string | null = null;
  for (const entry of entries) {
    if (!isJsonObject(entry)) continue;
    const number = itemNumber(entry["number"]);
    if (number === null || !isAgainst(entry["base"], repository)) continue;
    if (pullRequests.length === 0) pullRequestHead = isJsonObject(entry["head"]) ? commitId(entry["head"]["sha"]) : null;
    pullRequests.push(number);
  }
  return { pullRequests, pullRequestHead };
}

function isAgainst(base: unknown, repository: Repository): boolean {
  const repo = isJsonObject(base) ? base["repo"] : null;
  if (!isJsonObject(repo)) return false;
  const id = idText(repo["id"]);
  return id === null || repository.id === null ? repo["name"] === repository.name : id === repository.id;
}

const none: readonly number[] = [];
