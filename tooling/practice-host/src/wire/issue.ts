import { type Comment, fullName, type Item, type Reaction, type Repository } from "../state.ts";
import { example } from "./examples.ts";
import { type JsonObject, nodeId, objectAt, rewrite } from "./json.ts";
import type { Origin } from "./origin.ts";
import { labelJson, placements } from "./repository.ts";
import { association, userJson } from "./user.ts";

/** An issue, or a pull request in the shape of an issue (it then carries `pull_request`). */
export function issueJson(item: Item, repository: Repository, origin: Origin): JsonObject {
  const kind = item.pull === null ? "issues" : "pull";
  const template = objectAt(example("issues", "opened")["issue"]);
  const placed = objectAt(
    rewrite(template, [["/issues/1", `/issues/${item.number}`], ...placements(repository, origin)]),
  );
  const html = `${origin.url}/${fullName(repository)}/${kind}/${item.number}`;
  return {
    ...placed,
    id: item.id,
    node_id: nodeId("I", item.id),
    number: item.number,
    html_url: html,
    title: item.title,
    body: item.body,
    user: userJson(item.author, origin),
    labels: item.labels.map((label) => labelJson(label, repository, origin)),
    state: item.open ? "open" : "closed",
    state_reason: item.stateReason,
    assignee: null,
    assignees: [],
    milestone: null,
    comments: item.comments.filter((comment) => comment.surface === "conversation").length,
    created_at: item.createdAt,
    updated_at: item.updatedAt,
    closed_at: item.closedAt,
    author_association: association(item.author, repository),
    ...(item.pull === null
      ? {}
      : { pull_request: pullAddresses(item, repository, origin), draft: false }),
  };
}

function pullAddresses(item: Item, repository: Repository, origin: Origin): JsonObject {
  const html = `${origin.url}/${fullName(repository)}/pull/${item.number}`;
  return {
    url: `${origin.apiUrl}/repos/${fullName(repository)}/pulls/${item.number}`,
    html_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    merged_at: item.pull?.mergedAt ?? null,
  };
}

/** A comment on the conversation of an issue or pull request. */
export function commentJson(
  comment: Comment,
  item: Item,
  repository: Repository,
  origin: Origin,
): JsonObject {
  const name = fullName(repository);
  const url = `${origin.apiUrl}/repos/${name}/issues/comments/${comment.id}`;
  return {
    url,
    html_url: `${origin.url}/${name}/${item.pull === null ? "issues" : "pull"}/${item.number}#issuecomment-${comment.id}`,
    issue_url: `${origin.apiUrl}/repos/${name}/issues/${item.number}`,
    id: comment.id,
    node_id: nodeId("IC", comment.id),
    user: userJson(comment.author, origin),
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    author_association: association(comment.author, repository),
    body: comment.body,
    reactions: reactionTotals(comment.reactions, url),
    performed_via_github_app: null,
  };
}

/** Numbers of each kind of reaction, as they stand under a comment. */
export function reactionTotals(reactions: readonly Reaction[], url: string): JsonObject {
  const count = (content: string): number =>
    reactions.filter((reaction) => reaction.content === content).length;
  return {
    url: `${url}/reactions`,
    total_count: reactions.length,
    "+1": count("+1"),
    "-1": count("-1"),
    laugh: count("laugh"),
    hooray: count("hooray"),
    confused: count("confused"),
    heart: count("heart"),
    rocket: count("rocket"),
    eyes: count("eyes"),
  };
}

export const reactionJson = (reaction: Reaction, origin: Origin): JsonObject => ({
  id: reaction.id,
  node_id: nodeId("RE", reaction.id),
  user: userJson(reaction.user, origin),
  content: reaction.content,
  created_at: reaction.createdAt,
});
