import { branchesWith } from "../git/bare.ts";
import { type Check, fullName, type Item, type Repository } from "../state.ts";
import { example } from "./examples.ts";
import { type Json, type JsonObject, nodeId, objectAt, rewrite } from "./json.ts";
import type { Origin } from "./origin.ts";
import { pullOf } from "./pull.ts";
import { placements } from "./repository.ts";
import { userJson } from "./user.ts";

/**
 * A check run. As on the real host it names pull requests only when their head lives in the same
 * repository.
 */
export async function checkRunJson(
  check: Check,
  repository: Repository,
  origin: Origin,
): Promise<JsonObject> {
  const placed = objectAt(
    rewrite(
      objectAt(example("check_run", "completed")["check_run"]),
      placements(repository, origin),
    ),
  );
  const pulls = pullsNamed(check, repository, origin);
  const branch = (await branchesWith(repository.directory, check.sha))[0] ?? null;
  const url = `${origin.apiUrl}/repos/${fullName(repository)}/check-runs/${check.id}`;
  const done = check.status === "completed";
  return {
    ...placed,
    id: check.id,
    node_id: nodeId("CR", check.id),
    name: check.name,
    head_sha: check.sha,
    url,
    html_url: `${origin.url}/${fullName(repository)}/runs/${check.id}`,
    status: check.status,
    conclusion: check.conclusion,
    started_at: check.at,
    completed_at: done ? check.at : null,
    pull_requests: pulls,
    check_suite: {
      ...objectAt(placed["check_suite"]),
      head_sha: check.sha,
      head_branch: branch,
      status: done ? "completed" : "in_progress",
      conclusion: check.conclusion,
      after: check.sha,
      pull_requests: pulls,
    },
  };
}

/** What the payload says of the check, under the names of its kind. */
export async function ciJson(
  check: Check,
  repository: Repository,
  origin: Origin,
): Promise<JsonObject> {
  if (check.kind === "check_run")
    return { check_run: await checkRunJson(check, repository, origin) };
  const branch = (await branchesWith(repository.directory, check.sha))[0] ?? null;
  if (check.kind === "check_suite")
    return { check_suite: suiteJson(check, repository, branch, origin) };
  return workflowJson(check, repository, branch, origin);
}

function suiteJson(
  check: Check,
  repository: Repository,
  branch: string | null,
  origin: Origin,
): JsonObject {
  const done = check.status === "completed";
  const placed = objectAt(
    rewrite(
      objectAt(example("check_suite", done ? "completed" : "requested")["check_suite"]),
      placements(repository, origin),
    ),
  );
  const app = { ...objectAt(placed["app"]), name: check.name };
  const commit = headCommit(placed["head_commit"], check, repository);
  return {
    ...placed,
    id: check.id,
    node_id: nodeId("CS", check.id),
    head_branch: branch,
    head_sha: check.sha,
    after: check.sha,
    status: done ? "completed" : "requested",
    conclusion: check.conclusion,
    created_at: check.at,
    updated_at: check.at,
    pull_requests: pullsNamed(check, repository, origin),
    app,
    head_commit: commit,
  };
}

function headCommit(template: Json | undefined, check: Check, repository: Repository): JsonObject {
  const who = { name: repository.owner.login, email: "practice@practice.invalid" };
  return {
    ...objectAt(template),
    id: check.sha,
    message: `Work for ${check.name}`,
    author: who,
    committer: who,
  };
}

function workflowJson(
  check: Check,
  repository: Repository,
  branch: string | null,
  origin: Origin,
): JsonObject {
  const done = check.status === "completed";
  const found = example("workflow_run", done ? "completed" : "requested");
  const places = [
    [
      "https://api.github.com/repos/octo-org/octo-repo",
      `${origin.apiUrl}/repos/${fullName(repository)}`,
    ],
    ["https://github.com/octo-org/octo-repo", `${origin.url}/${fullName(repository)}`],
    ["octo-org/octo-repo", fullName(repository)],
    ...placements(repository, origin),
  ] as const;
  const run = objectAt(rewrite(objectAt(found["workflow_run"]), places));
  const workflow = { ...objectAt(rewrite(objectAt(found["workflow"]), places)), name: check.name };
  const owner = userJson(repository.owner, origin);
  const small = (part: Json | undefined): JsonObject => ({
    ...objectAt(part),
    id: repository.id,
    name: repository.name,
    full_name: fullName(repository),
    owner,
  });
  const commit = headCommit(run["head_commit"], check, repository);
  const who = {
    actor: owner,
    triggering_actor: owner,
    repository: small(run["repository"]),
    head_repository: small(run["head_repository"]),
    head_commit: commit,
  };
  return {
    workflow,
    workflow_run: {
      ...run,
      ...who,
      id: check.id,
      node_id: nodeId("WFR", check.id),
      name: check.name,
      head_branch: branch ?? "",
      head_sha: check.sha,
      status: done ? "completed" : "requested",
      conclusion: check.conclusion,
      pull_requests: pullsNamed(check, repository, origin),
      created_at: check.at,
      updated_at: check.at,
      run_started_at: check.at,
    },
  };
}

function pullsNamed(check: Check, repository: Repository, origin: Origin): Json[] {
  const heads = repository.items.filter(
    (item) =>
      item.open && item.pull?.head.repository === repository && item.pull.head.sha === check.sha,
  );
  return heads.map((item) => checkPullJson(item, repository, origin));
}

function checkPullJson(item: Item, repository: Repository, origin: Origin): Json {
  const pull = pullOf(item);
  const api = `${origin.apiUrl}/repos/${fullName(repository)}`;
  const repo = { id: repository.id, url: api, name: repository.name };
  return {
    url: `${api}/pulls/${item.number}`,
    id: pull.id,
    number: item.number,
    head: { ref: pull.head.ref, sha: pull.head.sha, repo },
    base: { ref: pull.base.ref, sha: pull.base.sha, repo },
  };
}

/** The payload of a commit status, which names branches and no pull request. */
export async function statusPayload(
  check: Check,
  repository: Repository,
  origin: Origin,
): Promise<JsonObject> {
  const placed = objectAt(rewrite(example("status", null), placements(repository, origin)));
  const api = `${origin.apiUrl}/repos/${fullName(repository)}/commits`;
  const branches = (await branchesWith(repository.directory, check.sha)).map((name) => ({
    name,
    commit: { sha: check.sha, url: `${api}/${check.sha}` },
    protected: false,
  }));
  const commit = { ...objectAt(placed["commit"]), sha: check.sha, url: `${api}/${check.sha}` };
  return {
    ...placed,
    id: check.id,
    sha: check.sha,
    name: fullName(repository),
    context: check.name,
    state: check.conclusion ?? "pending",
    description: null,
    target_url: null,
    commit,
    branches,
    created_at: check.at,
    updated_at: check.at,
  };
}
