import type { CodeHost } from "@loopwork/core/ports";
import { type CodeHostOptions, createClient } from "./client.ts";
import { readClosingReferences } from "./closing-references.ts";
import { findOwnComment, postComment } from "./comments.ts";
import { textAt } from "./fields.ts";
import { pullsOfCommit, readPull } from "./pulls.ts";
import { addReaction } from "./reactions.ts";

/** One code host through its interface. Calls reject with `CodeHostError`; nothing is tried a second time here. */
export function createCodeHost(options: CodeHostOptions): CodeHost {
  const client = createClient(options);
  let known: Promise<string | null> | null = null;
  const login = (): Promise<string | null> => {
    known ??= readLogin();
    // A failure is not remembered: the next call asks again.
    known.catch(() => (known = null));
    return known;
  };
  const readLogin = async (): Promise<string | null> => (client.token === null ? null : textAt((await client.get("asking whose token it is", "/user")).data, "login"));
  return {
    comment: (thread, text) => postComment(client, thread, text),
    findComment: async (thread, marker) => findOwnComment(client, thread, marker, await login()),
    react: (target, reaction) => addReaction(client, target, reaction),
    closingReferences: (pullRequest) => readClosingReferences(client, pullRequest),
    pullRequest: (pullRequest) => readPull(client, pullRequest),
    pullRequestsOfCommit: (repository, sha) => pullsOfCommit(client, repository, sha),
    login,
  };
}
