import { findComment } from "../repository-handle.ts";
import {
  type Comment,
  findItem,
  findRepository,
  type Item,
  type Repository,
  type User,
} from "../state.ts";
import { type Answer, notFound } from "./answer.ts";
import type { Call } from "./route.ts";

type Made = Answer | Promise<Answer>;

/** Answers with the repository that the path names, or 404. */
export const inRepository =
  (answer: (call: Call, repository: Repository) => Made) =>
  (call: Call): Made => {
    const repository = findRepository(
      call.state,
      call.params["owner"] ?? "",
      call.params["repo"] ?? "",
    );
    return repository === null ? notFound : answer(call, repository);
  };

/** Answers with the issue or pull request that the path names, or 404. */
export const onItem = (
  answer: (call: Call, item: Item, repository: Repository) => Made,
): ((call: Call) => Made) =>
  inRepository((call, repository) => {
    const item = findItem(repository, Number(call.params["number"]));
    return item === null ? notFound : answer(call, item, repository);
  });

export const onPull = (
  answer: (call: Call, item: Item, repository: Repository) => Made,
): ((call: Call) => Made) =>
  onItem((call, item, repository) =>
    item.pull === null ? notFound : answer(call, item, repository),
  );

/** Answers with the comment that the path names, or 404 when it stands on another surface. */
export const onComment = (
  surface: Comment["surface"],
  answer: (call: Call, comment: Comment, item: Item, repository: Repository) => Made,
): ((call: Call) => Made) =>
  inRepository((call, repository) => {
    const found = findComment(repository, Number(call.params["id"]));
    return found === null || found.comment.surface !== surface
      ? notFound
      : answer(call, found.comment, found.item, repository);
  });

/** Answers only those who carry a token. */
export const signedIn =
  (answer: (call: Call, user: User) => Made) =>
  (call: Call): Made =>
    call.user === null
      ? { status: 401, body: { message: "Requires authentication" } }
      : answer(call, call.user);
