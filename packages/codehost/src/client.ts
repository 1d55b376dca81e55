import { Octokit } from "@octokit/core";
import type { Ref } from "@loopwork/core";
import { type CodeHost, CodeHostError } from "@loopwork/core/ports";
import { apiBaseOf, type Dialect } from "./api-base.ts";
import { failureOf } from "./failure.ts";
import { closingIssuesQuery, readClosingIssues, readComment, readComments, readLogin, readNumbers, readPullRequest } from "./read.ts";

export type CodeHostOptions = {
  /** Domain of the code host; refs on another one are refused. */
  readonly host: string;
  /** Base URL of the REST API; null derives it from `host`. */
  readonly apiBaseUrl: string | null;
  readonly dialect: Dialect;
  /** Null or empty: nothing can be posted or asked, each call says so. */
  readonly token: string | null;
  /** Milliseconds until a call is given up; default 10,000. */
  readonly timeoutMs?: number;
};

const commentsPerPage = 100;
/** A thread is looked through from its end; older posts of ours than these pages hold are not searched. */
const pagesSearched = 5;

/** The code host's API as the service needs it (design: codehost). */
export function createCodeHost(options: CodeHostOptions): CodeHost {
  const octokit = new Octokit({ baseUrl: options.apiBaseUrl ?? apiBaseOf(options.host, options.dialect), userAgent: "loop", ...(options.token ? { auth: options.token } : {}) });
  let ownLogin: string | null = null;

  async function call(route: string, parameters: Readonly<Record<string, unknown>>): Promise<unknown> {
    if (!options.token) throw new CodeHostError("LOOP_E_HOST_NO_TOKEN", "there is no token for the code host");
    try {
      const { data }: { data: unknown } = await octokit.request(route, { ...parameters, request: { signal: AbortSignal.timeout(options.timeoutMs ?? 10_000) } });
      return data;
    } catch (error) {
      throw failureOf(error, options.token, Date.now());
    }
  }

  const place = (ref: Pick<Ref, "host" | "owner" | "repo">): { readonly owner: string; readonly repo: string } => {
    if (ref.host !== null && ref.host !== options.host.toLowerCase()) throw new CodeHostError("LOOP_E_HOST_REFUSED", `${ref.host} is not the configured code host ${options.host}`);
    return { owner: ref.owner, repo: ref.repo };
  };

  const login = async (): Promise<string | null> => {
    if (!options.token) return null;
    ownLogin ??= readLogin(await call("GET /user", {}));
    return ownLogin;
  };

  return {
    login,
    async comment(thread, text) {
      return readComment(await call("POST /repos/{owner}/{repo}/issues/{issue_number}/comments", { ...place(thread), issue_number: thread.number, body: text }));
    },
    async findComment(thread, marker) {
      const own = (await login())?.toLowerCase();
      for (let page = 1; page <= pagesSearched; page++) {
        const comments = readComments(await call("GET /repos/{owner}/{repo}/issues/{issue_number}/comments", { ...place(thread), issue_number: thread.number, per_page: commentsPerPage, page }));
        const found = comments.findLast((comment) => comment.body.includes(marker) && comment.login?.toLowerCase() === own);
        if (found) return found.id;
        if (comments.length < commentsPerPage) return null;
      }
      return null;
    },
    async react(target, reaction) {
      const route = reactionRoutes[target.surface];
      // Reviews as a whole take no reactions on the host; their words are answered by the turn itself.
      if (route !== null) await call(route, { ...place(target.thread), comment_id: target.commentId, content: reaction });
    },
    async closingReferences(pullRequest) {
      if (options.dialect === "gitea" || options.dialect === "forgejo") return []; // Their APIs have no such list; the text is read instead.
      const answer = await graphql(octokit, pullRequest, place(pullRequest), options.token);
      return readClosingIssues(answer).map(({ owner, repo, number }) => ({ host: pullRequest.host, owner, repo, number }));
    },
    async pullRequest(pullRequest) {
      try {
        return readPullRequest(await call("GET /repos/{owner}/{repo}/pulls/{pull_number}", { ...place(pullRequest), pull_number: pullRequest.number }));
      } catch (error) {
        if (error instanceof CodeHostError && error.code === "LOOP_E_HOST_NOT_FOUND") return null;
        throw error;
      }
    },
    async pullRequestsOfCommit(repository, sha) {
      return readNumbers(await call("GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls", { ...place(repository), commit_sha: sha }));
    },
  };
}

const reactionRoutes = {
  conversation: "POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions",
  diff: "POST /repos/{owner}/{repo}/pulls/comments/{comment_id}/reactions",
  review: null,
} as const;

async function graphql(octokit: Octokit, pullRequest: Ref, place: { readonly owner: string; readonly repo: string }, token: string | null): Promise<unknown> {
  if (!token) throw new CodeHostError("LOOP_E_HOST_NO_TOKEN", "there is no token for the code host");
  try {
    return await octokit.graphql<unknown>(closingIssuesQuery, { ...place, number: pullRequest.number });
  } catch (error) {
    throw failureOf(error, token, Date.now());
  }
}
