import {
  type Comment,
  fullName,
  type Item,
  type Pull,
  type Repository,
  type Review,
  type User,
} from "../state.ts";
import { example } from "./examples.ts";
import { reactionTotals } from "./issue.ts";
import { type Json, type JsonObject, nodeId, objectAt, rewrite } from "./json.ts";
import type { Origin } from "./origin.ts";
import { labelJson, placements, repositoryJson } from "./repository.ts";
import { association, userJson } from "./user.ts";

/** A pull request with everything that its own events carry. */
export function pullJson(item: Item, repository: Repository, origin: Origin): JsonObject {
  const pull = pullOf(item);
  return {
    ...placedPull("pull_request", "opened", item, repository, origin),
    ...pullFields(item, pull, repository, origin),
    merged: pull.mergedAt !== null,
    merged_by: pull.mergedAt === null ? null : userJson(item.author, origin),
    comments: item.comments.filter((comment) => comment.surface === "conversation").length,
    review_comments: item.comments.filter((comment) => comment.surface === "diff").length,
    draft: false,
  };
}

/** The reduced pull request that stands in events about reviews. */
export function simplePullJson(item: Item, repository: Repository, origin: Origin): JsonObject {
  return {
    ...placedPull("pull_request_review", "submitted", item, repository, origin),
    ...pullFields(item, pullOf(item), repository, origin),
    draft: false,
  };
}

export function pullOf(item: Item): Pull {
  if (item.pull === null) throw new Error(`#${item.number} is no pull request`);
  return item.pull;
}

function placedPull(
  event: string,
  action: string,
  item: Item,
  repository: Repository,
  origin: Origin,
): JsonObject {
  const numbers = [
    ["/pulls/2", `/pulls/${item.number}`],
    ["/pull/2", `/pull/${item.number}`],
    ["/issues/2", `/issues/${item.number}`],
    ["/statuses/ec26c3e57ca3a959ca5aad62de7213c562f8c821", `/statuses/${pullOf(item).head.sha}`],
  ] as const;
  return objectAt(
    rewrite(objectAt(example(event, action)["pull_request"]), [
      ...numbers,
      ...placements(repository, origin),
    ]),
  );
}

function pullFields(item: Item, pull: Pull, repository: Repository, origin: Origin): JsonObject {
  return {
    id: pull.id,
    node_id: nodeId("PR", pull.id),
    number: item.number,
    title: item.title,
    body: item.body,
    user: userJson(item.author, origin),
    state: item.open ? "open" : "closed",
    labels: item.labels.map((label) => labelJson(label, repository, origin)),
    created_at: item.createdAt,
    updated_at: item.updatedAt,
    closed_at: item.closedAt,
    merged_at: pull.mergedAt,
    merge_commit_sha: pull.mergeSha,
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_teams: [],
    milestone: null,
    auto_merge: null,
    author_association: association(item.author, repository),
    head: sideJson(pull.head.repository, pull.head.owner, pull.head.ref, pull.head.sha, origin),
    base: sideJson(repository, repository.owner, pull.base.ref, pull.base.sha, origin),
  };
}

function sideJson(
  repository: Repository | null,
  owner: User,
  ref: string,
  sha: string,
  origin: Origin,
): JsonObject {
  return {
    label: `${owner.login}:${ref}`,
    ref,
    sha,
    user: userJson(owner, origin),
    repo: repository === null ? null : sideRepository(repository, origin),
  };
}

/** The repository of a side carries the merge settings as well. */
function sideRepository(repository: Repository, origin: Origin): Json {
  return {
    ...repositoryJson(repository, origin),
    allow_squash_merge: true,
    allow_merge_commit: true,
    allow_rebase_merge: true,
    allow_auto_merge: false,
    allow_update_branch: false,
    delete_branch_on_merge: false,
    use_squash_pr_title_as_default: false,
    squash_merge_commit_message: "COMMIT_MESSAGES",
    squash_merge_commit_title: "COMMIT_OR_PR_TITLE",
    merge_commit_message: "PR_TITLE",
    merge_commit_title: "MERGE_MESSAGE",
  };
}

/** `state` is lower case in payloads and upper case in answers. */
export function reviewJson(
  review: Review,
  item: Item,
  repository: Repository,
  origin: Origin,
): JsonObject {
  const html = `${origin.url}/${fullName(repository)}/pull/${item.number}`;
  const api = `${origin.apiUrl}/repos/${fullName(repository)}/pulls/${item.number}`;
  return {
    id: review.id,
    node_id: nodeId("PRR", review.id),
    user: userJson(review.author, origin),
    body: review.body,
    commit_id: review.sha,
    submitted_at: review.submittedAt,
    state: review.state,
    html_url: `${html}#pullrequestreview-${review.id}`,
    pull_request_url: api,
    author_association: association(review.author, repository),
    _links: {
      html: { href: `${html}#pullrequestreview-${review.id}` },
      pull_request: { href: api },
    },
  };
}

/** A comment on a line of a pull request. */
export function diffCommentJson(
  comment: Comment,
  item: Item,
  repository: Repository,
  origin: Origin,
): JsonObject {
  const place = comment.place;
  if (place === null) throw new Error(`comment ${comment.id} stands on no line`);
  const api = `${origin.apiUrl}/repos/${fullName(repository)}/pulls`;
  const url = `${api}/comments/${comment.id}`;
  const html = `${origin.url}/${fullName(repository)}/pull/${item.number}#discussion_r${comment.id}`;
  return {
    ...objectAt(example("pull_request_review_comment", "created")["comment"]),
    url,
    id: comment.id,
    node_id: nodeId("PRRC", comment.id),
    pull_request_review_id: place.review,
    path: place.path,
    diff_hunk: `@@ -${place.line} +${place.line} @@`,
    line: place.line,
    original_line: place.line,
    position: place.line,
    original_position: place.line,
    start_line: null,
    original_start_line: null,
    side: "RIGHT",
    start_side: null,
    commit_id: place.sha,
    original_commit_id: place.sha,
    user: userJson(comment.author, origin),
    body: comment.body,
    created_at: comment.createdAt,
    updated_at: comment.updatedAt,
    html_url: html,
    pull_request_url: `${api}/${item.number}`,
    author_association: association(comment.author, repository),
    _links: {
      self: { href: url },
      html: { href: html },
      pull_request: { href: `${api}/${item.number}` },
    },
    reactions: reactionTotals(comment.reactions, url),
    ...(place.replyTo === null ? {} : { in_reply_to_id: place.replyTo }),
  };
}
