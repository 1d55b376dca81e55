import { addDiffComment, addReview } from "../actions/comments.ts";
import { editItem, setOpen } from "../actions/items.ts";
import { mergePull, openPull } from "../actions/pulls.ts";
import { branchesWith, diffBetween } from "../git/bare.ts";
import {
  type Check,
  findRepository,
  type Item,
  type Repository,
  type ReviewState,
  sameName,
  takeId,
  timeNow,
} from "../state.ts";
import { checkRunJson } from "../wire/ci.ts";
import { diffCommentJson, pullJson, pullOf, reviewJson } from "../wire/pull.ts";
import { repositoryJson } from "../wire/repository.ts";
import { userJson } from "../wire/user.ts";
import { type Answer, compareText, created, invalid, notFound, ok, paged } from "./answer.ts";
import { type Call, type Route, textIn, textsIn } from "./route.ts";
import { inRepository, onPull, signedIn } from "./within.ts";

const prefix = "/repos/:owner/:repo";

/** Who is calling, repositories, pull requests, reviews, and what CI says of a commit. */
export const pullRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/user",
    answer: signedIn((call, user) => ok(userJson(user, call.origin))),
  },
  { method: "GET", path: "/users/:login", answer: oneUser },
  {
    method: "GET",
    path: prefix,
    answer: inRepository((call, repository) => ok(repositoryJson(repository, call.origin))),
  },
  {
    method: "GET",
    path: `${prefix}/pulls`,
    answer: inRepository((call, repository) =>
      paged(
        listed(call, repository).map((item) => pullJson(item, repository, call.origin)),
        call.url,
      ),
    ),
  },
  { method: "POST", path: `${prefix}/pulls`, answer: inRepository(open) },
  {
    method: "GET",
    path: `${prefix}/pulls/:number`,
    answer: onPull((call, item, repository) =>
      call.accept?.includes("diff") === true
        ? diff(item, repository)
        : ok(pullJson(item, repository, call.origin)),
    ),
  },
  { method: "PATCH", path: `${prefix}/pulls/:number`, answer: onPull(edit) },
  {
    method: "PUT",
    path: `${prefix}/pulls/:number/merge`,
    answer: onPull((call, item, repository) =>
      signedIn(async (_, by) =>
        ok({
          sha: await mergePull(call.state, repository, call.announceOf(repository), item, by),
          merged: true,
          message: "Pull Request successfully merged",
        }),
      )(call),
    ),
  },
  {
    method: "GET",
    path: `${prefix}/pulls/:number/reviews`,
    answer: onPull((call, item, repository) =>
      paged(
        pullOf(item).reviews.map((review) => ({
          ...reviewJson(review, item, repository, call.origin),
          state: review.state.toUpperCase(),
        })),
        call.url,
      ),
    ),
  },
  { method: "GET", path: `${prefix}/pulls/:number/reviews/:id`, answer: onPull(oneReview) },
  { method: "POST", path: `${prefix}/pulls/:number/reviews`, answer: onPull(submitReview) },
  {
    method: "GET",
    path: `${prefix}/pulls/:number/comments`,
    answer: onPull((call, item, repository) =>
      paged(
        item.comments
          .filter((comment) => comment.surface === "diff")
          .map((comment) => diffCommentJson(comment, item, repository, call.origin)),
        call.url,
      ),
    ),
  },
  { method: "POST", path: `${prefix}/pulls/:number/comments`, answer: onPull(commentOnLine) },
  { method: "GET", path: `${prefix}/commits/:sha/pulls`, answer: inRepository(pullsOfCommit) },
  { method: "POST", path: `${prefix}/check-runs`, answer: inRepository(checkRun) },
  { method: "POST", path: `${prefix}/statuses/:sha`, answer: inRepository(commitStatus) },
];

function oneUser({ state, params, origin }: Call): Answer {
  const user = state.users.find(({ login }) => sameName(login, params["login"] ?? ""));
  return user === undefined ? notFound : ok(userJson(user, origin));
}

function listed(call: Call, repository: Repository): readonly Item[] {
  const query = call.url.searchParams;
  const state = query.get("state") ?? "open";
  const head = query.get("head");
  const fits = (item: Item): boolean =>
    (state === "all" || item.open === (state === "open")) &&
    (head === null ||
      `${item.pull?.head.repository?.owner.login ?? ""}:${item.pull?.head.ref ?? ""}` === head);
  const found = repository.items.filter((item) => item.pull !== null && fits(item)).toReversed();
  return query.get("sort") === "updated"
    ? found.toSorted((a, b) => compareText(b.updatedAt, a.updatedAt))
    : found;
}

function open(call: Call, repository: Repository): Answer | Promise<Answer> {
  return signedIn(async (_, by) => {
    const title = textIn(call.body, "title");
    const head = textIn(call.body, "head");
    const base = textIn(call.body, "base");
    if (title === null || head === null || base === null)
      return invalid("title, head and base are needed");
    const [owner, branch] = head.includes(":")
      ? [head.slice(0, head.indexOf(":")), head.slice(head.indexOf(":") + 1)]
      : [repository.owner.login, head];
    const from = findRepository(call.state, owner, repository.name);
    if (from === null) return invalid(`there is no repository of ${owner}`);
    try {
      const item = await openPull(call.state, repository, call.announceOf(repository), {
        title,
        body: textIn(call.body, "body"),
        head: branch,
        headRepository: from,
        base,
        labels: textsIn(call.body, "labels"),
        by,
      });
      return created(pullJson(item, repository, call.origin));
    } catch (error) {
      return invalid(error instanceof Error ? error.message : String(error));
    }
  })(call);
}

function edit(call: Call, item: Item, repository: Repository): Answer | Promise<Answer> {
  return signedIn((_, by) => {
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
    return ok(pullJson(item, repository, call.origin));
  })(call);
}

const verdicts: Readonly<Record<string, ReviewState>> = {
  APPROVE: "approved",
  REQUEST_CHANGES: "changes_requested",
  COMMENT: "commented",
};

function submitReview(call: Call, item: Item, repository: Repository): Answer | Promise<Answer> {
  return signedIn((_, by) => {
    const verdict = verdicts[textIn(call.body, "event") ?? ""];
    if (verdict === undefined) return invalid("event is APPROVE, REQUEST_CHANGES or COMMENT");
    const made = addReview(call.state, call.announceOf(repository), item, {
      state: verdict,
      body: textIn(call.body, "body"),
      by,
    });
    return ok({
      ...reviewJson(made, item, repository, call.origin),
      state: made.state.toUpperCase(),
    });
  })(call);
}

function oneReview(call: Call, item: Item, repository: Repository): Answer {
  const found = pullOf(item).reviews.find((one) => one.id === Number(call.params["id"]));
  return found === undefined
    ? notFound
    : ok({ ...reviewJson(found, item, repository, call.origin), state: found.state.toUpperCase() });
}

function commentOnLine(call: Call, item: Item, repository: Repository): Answer | Promise<Answer> {
  return signedIn((_, by) => {
    const body = textIn(call.body, "body");
    const path = textIn(call.body, "path");
    const line = call.body["line"];
    const replyTo = call.body["in_reply_to"];
    if (body === null || path === null) return invalid("body and path are needed");
    const made = addDiffComment(call.state, call.announceOf(repository), item, {
      body,
      path,
      line: typeof line === "number" ? line : 1,
      replyTo: typeof replyTo === "number" ? replyTo : null,
      by,
    });
    return created(diffCommentJson(made, item, repository, call.origin));
  })(call);
}

/** What the pull request changes since it left its base, as text. */
async function diff(item: Item, repository: Repository): Promise<Answer> {
  const { base, head } = pullOf(item);
  return {
    status: 200,
    body: await diffBetween(repository.directory, `refs/heads/${base.ref}`, head.sha),
    headers: { "content-type": "application/vnd.github.diff; charset=utf-8" },
  };
}

/**
 * Pull requests whose head branch holds the commit; pull requests from forks are missed, as on the
 * real host.
 */
async function pullsOfCommit(call: Call, repository: Repository): Promise<Answer> {
  const branches = await branchesWith(repository.directory, call.params["sha"] ?? "");
  if (branches.length === 0) return invalid(`No commit found for SHA: ${call.params["sha"] ?? ""}`);
  const found = repository.items.filter(
    (item) =>
      item.pull?.head.repository === repository &&
      branches.includes(item.pull.head.ref) &&
      !branches.includes(item.pull.base.ref),
  );
  return paged(
    found.map((item) => pullJson(item, repository, call.origin)),
    call.url,
  );
}

function checkRun(call: Call, repository: Repository): Answer | Promise<Answer> {
  return signedIn(async (_, by) => {
    const name = textIn(call.body, "name");
    const sha = textIn(call.body, "head_sha");
    if (name === null || sha === null) return invalid("name and head_sha are needed");
    const conclusion = textIn(call.body, "conclusion");
    const check: Check = {
      id: takeId(call.state),
      kind: "check_run",
      name,
      sha,
      at: timeNow(call.state),
      status: conclusion === null ? "in_progress" : "completed",
      conclusion,
    };
    repository.checks.push(check);
    await call.announceOf(repository).check(check, by);
    return created(await checkRunJson(check, repository, call.origin));
  })(call);
}

function commitStatus(call: Call, repository: Repository): Answer | Promise<Answer> {
  return signedIn(async (_, by) => {
    const state = textIn(call.body, "state");
    if (
      state === null ||
      !["error", "failure", "pending", "success"].some((word) => sameName(word, state))
    )
      return invalid("state is error, failure, pending or success");
    const check: Check = {
      id: takeId(call.state),
      kind: "status",
      name: textIn(call.body, "context") ?? "default",
      sha: call.params["sha"] ?? "",
      at: timeNow(call.state),
      status: state === "pending" ? "in_progress" : "completed",
      conclusion: state,
    };
    repository.checks.push(check);
    await call.announceOf(repository).check(check, by);
    return created({ id: check.id, state, context: check.name });
  })(call);
}
