import { type Comment, fullName, type Item, type ItemEvent, type Repository } from "../state.ts";
import { checkRunJson, statusPayload } from "../wire/ci.ts";
import { commentJson, issueJson } from "../wire/issue.ts";
import { type Json, type JsonObject, nodeId } from "../wire/json.ts";
import { diffCommentJson } from "../wire/pull.ts";
import { labelJson } from "../wire/repository.ts";
import { userJson } from "../wire/user.ts";
import { type Answer, inListOrder, ok, paged } from "./answer.ts";
import type { Call, Route } from "./route.ts";
import { inRepository, onItem } from "./within.ts";

const prefix = "/repos/:owner/:repo";

/** Lists over a whole repository, as somebody who polls reads them. They come first: their paths look like those of single items. */
export const listRoutes: readonly Route[] = [
  { method: "GET", path: `${prefix}/issues/events`, answer: inRepository((call, repository) => paged(repository.events.toReversed().map((event) => ({ ...eventJson(event, repository, call), issue: issueJson(event.item, repository, call.origin) })), call.url)) },
  { method: "GET", path: `${prefix}/issues/comments`, answer: inRepository((call, repository) => comments(call, repository, "conversation")) },
  { method: "GET", path: `${prefix}/pulls/comments`, answer: inRepository((call, repository) => comments(call, repository, "diff")) },
  { method: "GET", path: `${prefix}/issues/:number/events`, answer: onItem((call, item, repository) => paged(repository.events.filter((event) => event.item === item).map((event) => eventJson(event, repository, call)), call.url)) },
  { method: "GET", path: `${prefix}/commits/:sha/check-runs`, answer: inRepository(checkRuns) },
  { method: "GET", path: `${prefix}/commits/:sha/statuses`, answer: inRepository(statuses) },
];

function eventJson({ id, event, actor, at, label, renamedFrom, item }: ItemEvent, repository: Repository, call: Call): JsonObject {
  const url = `${call.origin.apiUrl}/repos/${fullName(repository)}/issues/events/${id}`;
  const more: JsonObject = { ...(label === null ? {} : { label: labelJson(label, repository, call.origin) }), ...(renamedFrom === null ? {} : { rename: { from: renamedFrom, to: item.title } }) };
  return { id, node_id: nodeId("EV", id), url, actor: userJson(actor, call.origin), event, commit_id: null, commit_url: null, created_at: at, performed_via_github_app: null, ...more };
}

function comments(call: Call, repository: Repository, surface: Comment["surface"]): Answer {
  const since = call.url.searchParams.get("since") ?? "";
  const all = repository.items.flatMap((item) => item.comments.filter((comment) => comment.surface === surface && comment.updatedAt >= since).map((comment) => ({ item, comment, id: comment.id, createdAt: comment.createdAt, updatedAt: comment.updatedAt })));
  return paged(inListOrder(all, call.url).map(({ item, comment }) => shown(comment, item, repository, call)), call.url);
}

function shown(comment: Comment, item: Item, repository: Repository, call: Call): Json {
  return comment.surface === "diff" ? diffCommentJson(comment, item, repository, call.origin) : commentJson(comment, item, repository, call.origin);
}

async function checkRuns(call: Call, repository: Repository): Promise<Answer> {
  const found = repository.checks.filter((check) => check.kind === "check_run" && check.sha === call.params["sha"]);
  const runs = await Promise.all(found.map((check) => checkRunJson(check, repository, call.origin)));
  return ok({ total_count: runs.length, check_runs: runs });
}

/** As on the real host a status in a list does not name its commit. */
async function statuses(call: Call, repository: Repository): Promise<Answer> {
  const found = repository.checks.filter((check) => check.kind === "status" && check.sha === call.params["sha"]).toReversed();
  const all = await Promise.all(found.map((check) => statusPayload(check, repository, call.origin)));
  return paged(all.map(({ id, state, context, description, target_url, created_at, updated_at }) => ({ id: id ?? null, state: state ?? null, context: context ?? null, description: description ?? null, target_url: target_url ?? null, created_at: created_at ?? null, updated_at: updated_at ?? null })), call.url);
}
