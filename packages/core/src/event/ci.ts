import { isJsonObject, type JsonObject } from "./parse-payload.ts";
import {
  checkRunMoment,
  checkRunPhase,
  checkSuiteMoment,
  statusMoment,
  workflowRunMoment,
} from "./ci-moment.ts";
import { commitId, idText, isId, text } from "./fields.ts";
import { type CheckFields, checkFields } from "./check-fields.ts";
import { checking } from "./build-events.ts";
import { part } from "./event-key.ts";
import type { Arrival, Understood } from "./normalise.ts";

/** The four events of checks. They have no actor. */
export function normaliseCheckRun(arrival: Arrival, payload: JsonObject): Understood {
  const run = payload["check_run"];
  if (!isJsonObject(run) || !isId(run["id"])) return null;
  const name = run["name"];
  const headSha = commitId(run["head_sha"]);
  if (typeof name !== "string" || headSha === null) return null;
  return checking(
    arrival,
    payload,
    checkRunMoment,
    checkFields(
      run,
      ofCheckRun,
      { name, headSha, phase: checkRunPhase(arrival, run) },
      arrival.repository,
    ),
  );
}

const ofCheckRun: CheckFields = {
  headBranch: (run) => text(part(run, "check_suite")["head_branch"]),
  conclusion: (run) => text(run["conclusion"]),
  url: (run) => text(run["html_url"]),
  pullRequests: (run) => run["pull_requests"],
  source: (run) => appOf(run["app"]),
  run: (run) => idText(part(run, "check_suite")["id"]),
};

export function normaliseCheckSuite(arrival: Arrival, payload: JsonObject): Understood {
  const suite = payload["check_suite"];
  if (!isJsonObject(suite) || !isId(suite["id"])) return null;
  const headSha = commitId(suite["head_sha"]);
  if (headSha === null) return null;
  const app = part(suite, "app");
  const name = text(app["name"]) ?? text(app["slug"]) ?? "check suite";
  const phase = arrival.action === "completed" ? "completed" : "queued";
  return checking(
    arrival,
    payload,
    checkSuiteMoment,
    checkFields(suite, ofCheckSuite, { name, headSha, phase }, arrival.repository),
  );
}

const ofCheckSuite: CheckFields = {
  headBranch: (suite) => text(suite["head_branch"]),
  conclusion: (suite) => text(suite["conclusion"]),
  url: () => null,
  pullRequests: (suite) => suite["pull_requests"],
  source: (suite) => appOf(suite["app"]),
  run: (suite) => idText(suite["id"]),
};

export function normaliseWorkflowRun(arrival: Arrival, payload: JsonObject): Understood {
  const run = payload["workflow_run"];
  if (!isJsonObject(run) || !isId(run["id"])) return null;
  const name = text(run["name"]) ?? text(run["path"]);
  const headSha = commitId(run["head_sha"]);
  if (name === null || headSha === null) return null;
  const { action } = arrival;
  const phase =
    action === "completed" ? "completed" : action === "in_progress" ? "running" : "queued";
  return checking(
    arrival,
    payload,
    workflowRunMoment,
    checkFields(run, ofWorkflowRun, { name, headSha, phase }, arrival.repository),
  );
}

const ofWorkflowRun: CheckFields = {
  headBranch: (run) => text(run["head_branch"]),
  conclusion: (run) => text(run["conclusion"]),
  url: (run) => text(run["html_url"]),
  pullRequests: (run) => run["pull_requests"],
  source: (run) => workflowOf(run),
  run: () => null,
};

export function normaliseStatus(arrival: Arrival, payload: JsonObject): Understood {
  const name = payload["context"];
  const state = payload["state"];
  const headSha = commitId(payload["sha"]);
  if (
    !isId(payload["id"]) ||
    typeof name !== "string" ||
    typeof state !== "string" ||
    headSha === null
  )
    return null;
  return checking(
    arrival,
    payload,
    statusMoment,
    checkFields(
      payload,
      ofStatus,
      { name, headSha, phase: state === "pending" ? "queued" : "completed" },
      arrival.repository,
    ),
  );
}

/**
 * A commit status names only a commit: it may be the head of several branches, so none of them is
 * taken.
 */
const ofStatus: CheckFields = {
  headBranch: () => null,
  conclusion: (status) => text(status["state"]),
  url: (status) => text(status["target_url"]),
  pullRequests: () => null,
  source: () => null,
  run: () => null,
};

/** The app is the same for every commit; its name may change. */
function appOf(app: unknown): string | null {
  return isJsonObject(app) ? (text(app["slug"]) ?? idText(app["id"])) : null;
}

/**
 * A workflow is run by several triggers on one commit, such as `push` and `pull_request`, each of
 * which ends as it likes.
 */
function workflowOf(run: JsonObject): string | null {
  const workflow = idText(run["workflow_id"]) ?? text(run["path"]);
  const trigger = text(run["event"]);
  return workflow === null || trigger === null ? workflow : `${workflow} ${trigger}`;
}
