import { branchesWith } from "../git/bare.ts";
import { type Check, fullName, type Item, type Repository, timeNow, type HostState } from "../state.ts";
import { example } from "./examples.ts";
import { type Json, type JsonObject, nodeId, objectAt, rewrite } from "./json.ts";
import type { Origin } from "./origin.ts";
import { pullOf } from "./pull.ts";
import { placements } from "./repository.ts";

/** A check run. As on the real host it names pull requests only when their head lives in the same repository. */
export async function checkRunJson(check: Check, repository: Repository, state: HostState, origin: Origin): Promise<JsonObject> {
  const placed = objectAt(rewrite(objectAt(example("check_run", "completed")["check_run"]), placements(repository, origin)));
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
    started_at: timeNow(state),
    completed_at: done ? timeNow(state) : null,
    pull_requests: pulls,
    check_suite: { ...objectAt(placed["check_suite"]), head_sha: check.sha, head_branch: branch, status: done ? "completed" : "in_progress", conclusion: check.conclusion, after: check.sha, pull_requests: pulls },
  };
}

function pullsNamed(check: Check, repository: Repository, origin: Origin): Json[] {
  const heads = repository.items.filter((item) => item.open && item.pull?.head.repository === repository && item.pull.head.sha === check.sha);
  return heads.map((item) => checkPullJson(item, repository, origin));
}

function checkPullJson(item: Item, repository: Repository, origin: Origin): Json {
  const pull = pullOf(item);
  const api = `${origin.apiUrl}/repos/${fullName(repository)}`;
  const repo = { id: repository.id, url: api, name: repository.name };
  return { url: `${api}/pulls/${item.number}`, id: pull.id, number: item.number, head: { ref: pull.head.ref, sha: pull.head.sha, repo }, base: { ref: pull.base.ref, sha: pull.base.sha, repo } };
}

/** The payload of a commit status, which names branches and no pull request. */
export async function statusPayload(check: Check, repository: Repository, state: HostState, origin: Origin): Promise<JsonObject> {
  const placed = objectAt(rewrite(example("status", null), placements(repository, origin)));
  const api = `${origin.apiUrl}/repos/${fullName(repository)}/commits`;
  const branches = (await branchesWith(repository.directory, check.sha)).map((name) => ({ name, commit: { sha: check.sha, url: `${api}/${check.sha}` }, protected: false }));
  const commit = { ...objectAt(placed["commit"]), sha: check.sha, url: `${api}/${check.sha}` };
  return { ...placed, id: check.id, sha: check.sha, name: fullName(repository), context: check.name, state: check.conclusion ?? "pending", description: null, target_url: null, commit, branches, created_at: timeNow(state), updated_at: timeNow(state) };
}
