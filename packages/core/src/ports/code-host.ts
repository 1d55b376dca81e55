import type { Account } from "../accounts/account.ts";
import type { CommentTarget } from "../decide/effect.ts";
import type { TextEdits } from "../decide/unauthorized-edits.ts";
import type { PostText } from "../message/post.ts";
import type { Ref } from "../ref/ref.ts";

/** What the service says and asks on the code host. Each call may reject with `CodeHostError`. */
export interface CodeHost {
  /**
   * Posts a comment, word for word. `beforeSending` is called immediately before the request
   * leaves, after all waiting for a turn to write and before each try; what it rejects with the
   * call rejects with, and nothing is sent.
   */
  comment(
    thread: Ref,
    text: PostText,
    beforeSending?: () => Promise<void>,
  ): Promise<{ readonly id: string; readonly url: string | null }>;
  /**
   * Id of our newest comment on the thread that contains `marker`; null when there is none. Ours
   * are those of the token's login; where the token may not ask for that, as those of apps may not,
   * those whose whole text `isOurs` takes for one that we signed.
   */
  findComment(
    thread: Ref,
    marker: string,
    isOurs: (text: string) => boolean,
  ): Promise<string | null>;
  /**
   * Adds a reaction; the host keeps one of each kind per login, so that repeating it is harmless.
   */
  react(target: CommentTarget, reaction: "eyes" | "hooray" | "confused"): Promise<void>;
  /**
   * Puts one label on the item and takes off those of the others that it has; repeating it is
   * harmless. Labels compare without case.
   */
  relabel(
    item: Ref,
    change: { readonly put: string; readonly drop: readonly string[] },
  ): Promise<void>;
  /** Issues that the host itself says the pull request closes. */
  closingReferences(pullRequest: Ref): Promise<readonly Ref[]>;
  /** Head of a pull request and who owns its repository, for events that do not carry it. */
  pullRequest(pullRequest: Ref): Promise<{
    readonly headSha: string;
    readonly headBranch: string;
    readonly sameRepository: boolean;
    readonly headOwner: Account | null;
    readonly author: Account | null;
    readonly body: string;
  } | null>;
  /** What a pull request changes, as a unified diff; null when there is none of that number. */
  changes(pullRequest: Ref): Promise<string | null>;
  /**
   * Every edit of the item's title and description, and of the comment with that node id, in any
   * order; `unknown` where the host does not name them.
   */
  textEdits(item: Ref, comment: string | null): Promise<TextEdits>;
  /**
   * Whether there is an issue of that number, and whether it is open; null when there is none, or
   * it is a pull request.
   */
  issue(issue: Ref): Promise<{ readonly open: boolean } | null>;
  /** Numbers of open pull requests that contain the commit. */
  pullRequestsOfCommit(
    repository: { readonly host: string | null; readonly owner: string; readonly repo: string },
    sha: string,
  ): Promise<readonly number[]>;
  /** Account that the token belongs to; null when there is no token. */
  ownAccount(): Promise<Account | null>;
  /** Account that has the login now; null when there is none. */
  account(login: string): Promise<Account | null>;
}

/**
 * How calls to the host fail; each is told apart because something else helps against it
 * (docs/errors.md).
 */
export type CodeHostFailure =
  | "LOOP_E_HOST_UNREACHABLE"
  | "LOOP_E_HOST_SERVER"
  | "LOOP_E_HOST_LIMIT"
  | "LOOP_E_HOST_NOT_FOUND"
  | "LOOP_E_HOST_GONE"
  | "LOOP_E_HOST_UNAUTHORIZED"
  | "LOOP_E_HOST_FORBIDDEN"
  | "LOOP_E_HOST_REFUSED"
  | "LOOP_E_HOST_REDIRECT"
  | "LOOP_E_HOST_NO_TOKEN";

/** A call to the host failed. `retryAfterMs` is set when waiting helps. */
export class CodeHostError extends Error {
  override readonly name: string = "CodeHostError";
  readonly code: CodeHostFailure;
  readonly retryAfterMs: number | null;

  constructor(code: CodeHostError["code"], detail: string, retryAfterMs: number | null = null) {
    super(detail);
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }

  /** The same call may do later, by itself: the network, the host's servers, or a limit. */
  get passing(): boolean {
    return (
      this.code === "LOOP_E_HOST_UNREACHABLE" ||
      this.code === "LOOP_E_HOST_SERVER" ||
      this.code === "LOOP_E_HOST_LIMIT"
    );
  }

  /** There is no such thing, not any more, or the token may not see it. */
  get missing(): boolean {
    return this.code === "LOOP_E_HOST_NOT_FOUND" || this.code === "LOOP_E_HOST_GONE";
  }
}
