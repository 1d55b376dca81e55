import { type Account, type CodeHost, CodeHostError } from "@loopwork/core/ports";
import { readActor } from "@loopwork/core";
import { readAccount } from "./accounts.ts";
import type { Budget } from "./budget.ts";
import { type Client, type CodeHostOptions, createClient } from "./client.ts";
import { readClosingReferences } from "./closing-references.ts";
import { findOwnComment, postComment } from "./comments.ts";
import { relabel } from "./labels.ts";
import { pullsOfCommit, readChanges, readIssue, readPull } from "./pulls.ts";
import { addReaction } from "./reactions.ts";
import { readTextEdits } from "./text-edits.ts";

/**
 * The port, and what the host said last about how much may still be asked of it; null while it has
 * said nothing.
 */
export type CodeHostClient = CodeHost & { readonly budget: () => Budget | null };

/**
 * One code host through its interface. Calls reject with `CodeHostError`; posts are never tried a
 * second time here.
 */
export function createCodeHost(options: CodeHostOptions): CodeHostClient {
  return codeHostOver(createClient(options));
}

/** The same over a client that is there already, such as one that answers out of memory. */
export function codeHostOver(client: Client): CodeHostClient {
  let known: Promise<Account | null> | null = null;
  const ownAccount = (): Promise<Account | null> => {
    known ??= readOwn();
    // A failure is not remembered: the next call asks again.
    known.catch(() => (known = null));
    return known;
  };
  const readOwn = async (): Promise<Account | null> =>
    client.token === null
      ? null
      : readActor((await client.get("asking whose token it is", "/user")).data);
  return {
    comment: (thread, text, beforeSending) => postComment(client, thread, text, beforeSending),
    findComment: async (thread, marker, isOurs) =>
      client.token === null
        ? null
        : findOwnComment(client, thread, marker, await ownAccount().catch(nullIfNotTold), isOurs),
    react: (target, reaction) => addReaction(client, target, reaction),
    relabel: (item, change) => relabel(client, item, change),
    closingReferences: (pullRequest) => readClosingReferences(client, pullRequest),
    pullRequest: (pullRequest) => readPull(client, pullRequest),
    changes: (pullRequest) => readChanges(client, pullRequest),
    textEdits: (item, comment) => readTextEdits(client, item, comment),
    issue: (issue) => readIssue(client, issue),
    pullRequestsOfCommit: (repository, sha) => pullsOfCommit(client, repository, sha),
    ownAccount,
    account: (login) => readAccount(client, login),
    budget: client.budget,
  };
}

/**
 * Tokens of apps belong to no login and may not ask; what passes by itself goes on as a failure.
 */
function nullIfNotTold(error: unknown): null {
  if (error instanceof CodeHostError && !error.passing) return null;
  throw error;
}
