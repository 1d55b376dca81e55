import { addComment, addReaction, deleteComment, editComment } from "../actions/comments.ts";
import { addLabel, editItem, openIssue, removeLabel, setOpen } from "../actions/items.ts";
import type { Comment, Item, Repository } from "../state.ts";
import { commentJson, issueJson, reactionJson } from "../wire/issue.ts";
import type { Json } from "../wire/json.ts";
import { diffCommentJson } from "../wire/pull.ts";
import { labelJson } from "../wire/repository.ts";
import { type Answer, created, inListOrder, invalid, none, notFound, ok, paged } from "./answer.ts";
import { type Call, type Route, textIn, textsIn } from "./route.ts";
import { inRepository, onComment, onItem, signedIn } from "./within.ts";

const base = "/repos/:owner/:repo";

/** Issues, their labels, comments and reactions. */
export const issueRoutes: readonly Route[] = [
  {
    method: "GET",
    path: `${base}/issues`,
    answer: inRepository((call, repository) => paged(listed(call, repository), call.url)),
  },
  {
    method: "POST",
    path: `${base}/issues`,
    answer: inRepository((call, repository) =>
      signedIn((_, by) => {
        const title = textIn(call.body, "title");
        if (title === null || title === "") return invalid("title is missing");
        const item = openIssue(call.state, repository, call.announceOf(repository), {
          title,
          body: textIn(call.body, "body"),
          labels: textsIn(call.body, "labels"),
          by,
        });
        return created(issueJson(item, repository, call.origin));
      })(call),
    ),
  },
  {
    method: "GET",
    path: `${base}/issues/:number`,
    answer: onItem((call, item, repository) => ok(issueJson(item, repository, call.origin))),
  },
  {
    method: "PATCH",
    path: `${base}/issues/:number`,
    answer: onItem((call, item, repository) =>
      signedIn((_, by) =>
        ok(issueJson(edited(call, item, repository, by), repository, call.origin)),
      )(call),
    ),
  },
  {
    method: "GET",
    path: `${base}/issues/:number/comments`,
    answer: onItem((call, item, repository) =>
      paged(
        conversation(item).map((comment) => commentJson(comment, item, repository, call.origin)),
        call.url,
      ),
    ),
  },
  {
    method: "POST",
    path: `${base}/issues/:number/comments`,
    answer: onItem((call, item, repository) =>
      signedIn((_, by) => {
        const body = textIn(call.body, "body");
        if (body === null || body === "") return invalid("body is missing");
        return created(
          commentJson(
            addComment(call.state, call.announceOf(repository), item, body, by),
            item,
            repository,
            call.origin,
          ),
        );
      })(call),
    ),
  },
  {
    method: "GET",
    path: `${base}/issues/comments/:id`,
    answer: onComment("conversation", (call, comment, item, repository) =>
      ok(commentJson(comment, item, repository, call.origin)),
    ),
  },
  {
    method: "PATCH",
    path: `${base}/issues/comments/:id`,
    answer: onComment("conversation", (call, comment, item, repository) =>
      signedIn((_, by) => {
        editComment(
          call.state,
          call.announceOf(repository),
          item,
          comment,
          textIn(call.body, "body") ?? comment.body,
          by,
        );
        return ok(commentJson(comment, item, repository, call.origin));
      })(call),
    ),
  },
  {
    method: "DELETE",
    path: `${base}/issues/comments/:id`,
    answer: onComment("conversation", (call, comment, item, repository) =>
      signedIn((_, by) => {
        deleteComment(call.announceOf(repository), item, comment, by);
        return none;
      })(call),
    ),
  },
  {
    method: "GET",
    path: `${base}/issues/comments/:id/reactions`,
    answer: onComment("conversation", listReactions),
  },
  {
    method: "POST",
    path: `${base}/issues/comments/:id/reactions`,
    answer: onComment("conversation", react),
  },
  {
    method: "GET",
    path: `${base}/pulls/comments/:id`,
    answer: onComment("diff", (call, comment, item, repository) =>
      ok(diffCommentJson(comment, item, repository, call.origin)),
    ),
  },
  {
    method: "GET",
    path: `${base}/pulls/comments/:id/reactions`,
    answer: onComment("diff", listReactions),
  },
  {
    method: "POST",
    path: `${base}/pulls/comments/:id/reactions`,
    answer: onComment("diff", react),
  },
  {
    method: "GET",
    path: `${base}/issues/:number/labels`,
    answer: onItem((call, item, repository) => ok(labels(call, item, repository))),
  },
  {
    method: "POST",
    path: `${base}/issues/:number/labels`,
    answer: onItem((call, item, repository) =>
      signedIn((_, by) => {
        for (const name of textsIn(call.body, "labels"))
          addLabel(call.state, repository, call.announceOf(repository), item, name, by);
        return ok(labels(call, item, repository));
      })(call),
    ),
  },
  {
    method: "DELETE",
    path: `${base}/issues/:number/labels/:name`,
    answer: onItem((call, item, repository) =>
      signedIn((_, by) =>
        removeLabel(call.state, call.announceOf(repository), item, call.params["name"] ?? "", by)
          ? ok(labels(call, item, repository))
          : notFound,
      )(call),
    ),
  },
];

const conversation = (item: Item): readonly Comment[] =>
  item.comments.filter((comment) => comment.surface === "conversation");
const labels = (call: Call, item: Item, repository: Repository): Json =>
  item.labels.map((label) => labelJson(label, repository, call.origin));

function listed(call: Call, repository: Repository): readonly Json[] {
  const state = call.url.searchParams.get("state") ?? "open";
  const wanted = repository.items.filter(
    (item) => state === "all" || item.open === (state === "open"),
  );
  const since = call.url.searchParams.get("since") ?? "";
  const recent = wanted.toReversed().filter((item) => item.updatedAt >= since);
  return inListOrder(recent, call.url).map((item) => issueJson(item, repository, call.origin));
}

function edited(
  call: Call,
  item: Item,
  repository: Repository,
  by: Parameters<typeof editItem>[4],
): Item {
  const title = textIn(call.body, "title");
  const body = textIn(call.body, "body");
  const state = textIn(call.body, "state");
  const announce = call.announceOf(repository);
  if (title !== null || body !== null)
    editItem(
      call.state,
      announce,
      item,
      { ...(title === null ? {} : { title }), ...(body === null ? {} : { body }) },
      by,
    );
  if (state === "open" || state === "closed")
    setOpen(call.state, announce, item, state === "open", by);
  return item;
}

function listReactions(call: Call, comment: Comment): Answer {
  return paged(
    comment.reactions.map((reaction) => reactionJson(reaction, call.origin)),
    call.url,
  );
}

const reactions = ["+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes"];

/** Answers 200 instead of 201 when the reaction was there, as the real host does. */
function react(call: Call, comment: Comment): Answer | Promise<Answer> {
  return signedIn((_, by) => {
    const content = textIn(call.body, "content");
    if (content === null || !reactions.includes(content))
      return invalid("content is not one of the reactions");
    const made = addReaction(call.state, comment, content, by);
    return { status: made.created ? 201 : 200, body: reactionJson(made.reaction, call.origin) };
  })(call);
}
