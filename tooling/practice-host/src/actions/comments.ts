import type { Announce } from "../announce.ts";
import {
  type Comment,
  type HostState,
  type Item,
  type Reaction,
  type Review,
  type ReviewState,
  takeId,
  timeNow,
  type User,
} from "../state.ts";
import { pullOf } from "../wire/pull.ts";

export function addComment(
  state: HostState,
  announce: Announce,
  item: Item,
  body: string,
  by: User,
): Comment {
  return keepComment(state, announce, item, { surface: "conversation", place: null, body, by });
}

/** A comment on a line of a pull request; a reply names the comment that it answers. */
export function addDiffComment(
  state: HostState,
  announce: Announce,
  item: Item,
  wanted: {
    readonly body: string;
    readonly path: string;
    readonly line: number;
    readonly replyTo: number | null;
    readonly by: User;
  },
): Comment {
  const place = {
    path: wanted.path,
    line: wanted.line,
    sha: pullOf(item).head.sha,
    replyTo: wanted.replyTo,
    review: takeId(state),
  };
  return keepComment(state, announce, item, {
    surface: "diff",
    place,
    body: wanted.body,
    by: wanted.by,
  });
}

function keepComment(
  state: HostState,
  announce: Announce,
  item: Item,
  wanted: {
    readonly surface: Comment["surface"];
    readonly place: Comment["place"];
    readonly body: string;
    readonly by: User;
  },
): Comment {
  const at = timeNow(state);
  const comment: Comment = {
    id: takeId(state),
    surface: wanted.surface,
    author: wanted.by,
    createdAt: at,
    place: wanted.place,
    body: wanted.body,
    updatedAt: at,
    editor: null,
    edits: [],
    reactions: [],
  };
  item.comments.push(comment);
  item.updatedAt = at;
  announce.comment("created", comment, item, wanted.by);
  return comment;
}

/** Changes a comment; the sender is who edited, the author stays. */
export function editComment(
  state: HostState,
  announce: Announce,
  item: Item,
  comment: Comment,
  body: string,
  by: User,
): void {
  const changes = { body: { from: comment.body } };
  comment.body = body;
  comment.updatedAt = timeNow(state);
  comment.editor = by;
  comment.edits.push({ by, at: comment.updatedAt });
  announce.comment("edited", comment, item, by, { changes });
}

export function deleteComment(announce: Announce, item: Item, comment: Comment, by: User): void {
  item.comments.splice(item.comments.indexOf(comment), 1);
  announce.comment("deleted", comment, item, by);
}

export function addReview(
  state: HostState,
  announce: Announce,
  item: Item,
  wanted: { readonly state: ReviewState; readonly body: string | null; readonly by: User },
): Review {
  const pull = pullOf(item);
  const review: Review = {
    id: takeId(state),
    author: wanted.by,
    body: wanted.body,
    state: wanted.state,
    sha: pull.head.sha,
    submittedAt: timeNow(state),
    edits: [],
    reactions: [],
  };
  pull.reviews.push(review);
  item.updatedAt = review.submittedAt;
  announce.review("submitted", review, item, wanted.by);
  return review;
}

/** Changes the text of a review; the sender is who edited, the author stays. */
export function editReview(
  state: HostState,
  announce: Announce,
  item: Item,
  review: Review,
  body: string,
  by: User,
): void {
  const changes = { body: { from: review.body } };
  review.body = body;
  review.edited = { by, at: timeNow(state) };
  review.edits.push(review.edited);
  announce.review("edited", review, item, by, { changes });
}

/**
 * One of each kind per login: reacting again answers with the reaction that is there. The host
 * sends no webhook for it.
 */
export function addReaction(
  state: HostState,
  to: { readonly reactions: Reaction[] },
  content: string,
  by: User,
): { readonly reaction: Reaction; readonly created: boolean } {
  const known = to.reactions.find(
    (reaction) => reaction.user.id === by.id && reaction.content === content,
  );
  if (known !== undefined) return { reaction: known, created: false };
  const reaction: Reaction = { id: takeId(state), user: by, content, createdAt: timeNow(state) };
  to.reactions.push(reaction);
  return { reaction, created: true };
}
