import { type Comment, fullName, type Item, type ItemEvent, type Repository } from "../state.ts";
import { checkRunJson, ciJson } from "../wire/ci.ts";
import { commentJson, issueJson } from "../wire/issue.ts";
import { type Json, type JsonObject, nodeId } from "../wire/json.ts";
import { diffCommentJson } from "../wire/pull.ts";
import { labelJson } from "../wire/repository.ts";
import { userJson } from "../wire/user.ts";
import { type Answer, inListOrder, ok, paged } from "./answer.ts";
import type { Call, Route } from "./route.ts";
import { inRepository, onItem } from "./within.ts";

const prefix = "/repos/:owner/:repo";

/**
 * Lists over a whole repository, as somebody who polls reads them. They come first: their paths
 * look like those of single items.
 */
export const listRoutes: readonly Route[] = [
  {
    method: "GET",
    path: `${prefix}/issues/events`,
    answer: inRepository((call, repository) =>
      paged(
        repository.events.toReversed().map((event) => ({
          ...eventJson(event, repository, call),
          issue: issueJson(event.item, repository, call.origin),
        })),
        call.url,
      ),
    ),
  },
  {
    method: "GET",
    path: `${prefix}/issues/comments`,
    answer: inRepository((call, repository) => comments(call, repository, "conversation")),
  },
  {
    method: "GET",
    path: `${prefix}/pulls/comments`,
    answer: inRepository((call, repository) => comments(call, repository, "diff")),
  },
  {
    method: "GET",
    path: `${prefix}/issues/:number/events`,
    answer: onItem((call, item, repository) =>
      paged(
        repository.events
          .filter((event) => event.item === item)
          .map((event) => eventJson(event, repository, call)),
        call.url,
      ),
    ),
  },
  { method: "GET", path: `${prefix}/commits/:sha/check-runs`, answer: inRepository(checkRuns) },
  {
    method: "GET",
    path: `${prefix}/commits/:sha/check-suites`,
    answer: inRepository((call, repository) =>
      ciList(call, repository, "check_suite", call.params["sha"] ?? ""),
    ),
  },
  {
    method: "GET",
    path: `${prefix}/actions/runs`,
    answer: inRepository((call, repository) =>
      ciList(call, repository, "workflow_run", call.url.searchParams.get("head_sha") ?? ""),
    ),
  },
  { method: "GET", path: `${prefix}/activity`, answer: inRepository(activity) },
  { method: "GET", path: `${prefix}/commits/:sha/statuses`, answer: inRepository(statuses) },
];

function eventJson(
  { id, event, actor, at, label, renamedFrom, item }: ItemEvent,
  repository: Repository,
  call: Call,
): JsonObject {
  const url = `${call.origin.apiUrl}/repos/${fullName(repository)}/issues/events/${id}`;
  const more: JsonObject = {
    ...(label === null ? {} : { label: labelJson(label, repository, call.origin) }),
    ...(renamedFrom === null ? {} : { rename: { from: renamedFrom, to: item.title } }),
  };
  return {
    id,
    node_id: nodeId("EV", id),
    url,
    actor: userJson(actor, call.origin),
    event,
    commit_id: null,
    commit_url: null,
    created_at: at,
    performed_via_github_app: null,
    ...more,
  };
}

function comments(call: Call, repository: Repository, surface: Comment["surface"]): Answer {
  const since = call.url.searchParams.get("since") ?? "";
  const all = repository.items.flatMap((item) =>
    item.comments
      .filter((comment) => comment.surface === surface && comment.updatedAt >= since)
      .map((comment) => ({
        item,
        comment,
        id: comment.id,
        createdAt: comment.createdAt,
        updatedAt: comment.updatedAt,
      })),
  );
  return paged(
    inListOrder(all, call.url).map(({ item, comment }) => shown(comment, item, repository, call)),
    call.url,
  );
}

function shown(comment: Comment, item: Item, repository: Repository, call: Call): Json {
  return comment.surface === "diff"
    ? diffCommentJson(comment, item, repository, call.origin)
    : commentJson(comment, item, repository, call.origin);
}

async function checkRuns(call: Call, repository: Repository): Promise<Answer> {
  const found = repository.checks.filter(
    (check) => check.kind === "check_run" && check.sha === call.params["sha"],
  );
  const runs = await Promise.all(
    found.map((check) => checkRunJson(check, repository, call.origin)),
  );
  return ok({ total_count: runs.length, check_runs: runs });
}

/** Suites of checks or workflow runs of a commit, below the plural of their name. */
async function ciList(
  call: Call,
  repository: Repository,
  kind: "check_suite" | "workflow_run",
  sha: string,
): Promise<Answer> {
  const found = repository.checks.filter((check) => check.kind === kind && check.sha === sha);
  const all = await Promise.all(
    found.map(async (check) => (await ciJson(check, repository, call.origin))[kind] ?? null),
  );
  return ok({ total_count: all.length, [`${kind}s`]: all });
}

/** Pushes to one branch, newest first, with who made them. */
function activity(call: Call, repository: Repository): Answer {
  const ref = call.url.searchParams.get("ref");
  const pushes = (repository.pushes ?? [])
    .filter(({ branch }) => ref === null || ref === `refs/heads/${branch}`)
    .toReversed();
  return paged(
    pushes.map(({ id, branch, before, after, by, at }): Json => ({
      id,
      node_id: nodeId("PSH", id),
      before,
      after,
      ref: `refs/heads/${branch}`,
      timestamp: at,
      activity_type: "push",
      actor: userJson(by, call.origin),
    })),
    call.url,
  );
}

/** As on the real host a status in a list does not name its commit. */
function statuses(call: Call, repository: Repository): Answer {
  const found = repository.checks
    .filter((check) => check.kind === "status" && check.sha === call.params["sha"])
    .toReversed();
  return paged(
    found.map(({ id, name, conclusion, at }) => ({
      id,
      state: conclusion ?? "pending",
      context: name,
      description: null,
      target_url: null,
      created_at: at,
      updated_at: at,
    })),
    call.url,
  );
}
