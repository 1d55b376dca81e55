import * as comments from "./actions/comments.ts";
import * as items from "./actions/items.ts";
import * as pulls from "./actions/pulls.ts";
import { type Announce, createAnnounce } from "./announce.ts";
import { commitFiles, headOf } from "./git/bare.ts";
import {
  type Check,
  type Comment,
  findItem,
  fullName,
  type HostState,
  type Item,
  type Repository,
  type Review,
  type ReviewState,
  takeId,
  timeNow,
  type User,
  userNamed,
} from "./state.ts";
import type { Sender } from "./webhooks/sender.ts";
import type { Origin } from "./wire/origin.ts";

/**
 * One repository, as a script acts on it. `by` is the login that acts; the owner when it is left
 * out. Every method that the real host would announce sends its webhooks.
 */
export interface RepositoryHandle {
  readonly fullName: string;
  /** Bare repository on disk. */
  readonly directory: string;
  openIssue(issue: {
    readonly title: string;
    readonly body?: string | null;
    readonly labels?: readonly string[];
    readonly by?: string;
  }): Item;
  label(number: number, name: string, by?: string): void;
  unlabel(number: number, name: string, by?: string): void;
  comment(number: number, body: string, by?: string): Comment;
  editComment(id: number, body: string, by?: string): void;
  deleteComment(id: number, by?: string): void;
  editIssue(
    number: number,
    edit: { readonly title?: string; readonly body?: string | null },
    by?: string,
  ): void;
  closeIssue(number: number, by?: string): void;
  reopenIssue(number: number, by?: string): void;
  commit(commit: {
    readonly branch: string;
    readonly message: string;
    readonly files: Readonly<Record<string, string>>;
    readonly by?: string;
  }): Promise<string>;
  openPull(pull: {
    readonly title: string;
    readonly body?: string | null;
    readonly head: string;
    readonly headRepository?: string;
    readonly base?: string;
    readonly labels?: readonly string[];
    readonly by?: string;
  }): Promise<Item>;
  mergePull(number: number, by?: string): Promise<string>;
  review(
    number: number,
    review: { readonly state?: ReviewState; readonly body?: string | null; readonly by?: string },
  ): Review;
  editReview(number: number, id: number, body: string, by?: string): void;
  commentOnLine(
    number: number,
    comment: {
      readonly body: string;
      readonly path: string;
      readonly line?: number;
      readonly replyTo?: number;
      readonly by?: string;
    },
  ): Comment;
  /** Reports CI about a commit or about the head of a branch. */
  check(check: {
    readonly name: string;
    readonly of: string;
    readonly conclusion: string | null;
    readonly kind?: Check["kind"];
    readonly by?: string;
  }): Promise<void>;
  /** Gives it another name; the one that it had leads here until another repository takes it. */
  rename(name: string): void;
  issue(number: number): Item;
  issues(): readonly Item[];
}

export function createRepositoryHandle(
  state: HostState,
  repository: Repository,
  origin: () => Origin,
  sender: Sender,
  pushed: (repository: Repository, by: User) => Promise<void>,
): { readonly handle: RepositoryHandle; readonly announce: Announce } {
  const announce = createAnnounce(state, repository, origin, sender);
  const who = (login: string | undefined) => userNamed(state, login ?? repository.owner.login);
  const itemAt = (number: number): Item => findItem(repository, number) ?? missing(`#${number}`);
  const commentAt = (id: number): { readonly item: Item; readonly comment: Comment } =>
    findComment(repository, id) ?? missing(`comment ${id}`);
  const handle: RepositoryHandle = {
    fullName: fullName(repository),
    directory: repository.directory,
    openIssue: ({ title, body = null, labels = [], by }) =>
      items.openIssue(state, repository, announce, { title, body, labels, by: who(by) }),
    label: (number, name, by) =>
      items.addLabel(state, repository, announce, itemAt(number), name, who(by)),
    unlabel: (number, name, by) =>
      void items.removeLabel(state, announce, itemAt(number), name, who(by)),
    comment: (number, body, by) =>
      comments.addComment(state, announce, itemAt(number), body, who(by)),
    editComment(id, body, by) {
      const { item, comment } = commentAt(id);
      comments.editComment(state, announce, item, comment, body, who(by));
    },
    deleteComment(id, by) {
      const { item, comment } = commentAt(id);
      comments.deleteComment(announce, item, comment, who(by));
    },
    editIssue: (number, edit, by) => items.editItem(state, announce, itemAt(number), edit, who(by)),
    closeIssue: (number, by) => items.setOpen(state, announce, itemAt(number), false, who(by)),
    reopenIssue: (number, by) => items.setOpen(state, announce, itemAt(number), true, who(by)),
    async commit({ branch, message, files, by }) {
      const sha = await commitFiles(repository.directory, {
        branch,
        message,
        files,
        author: who(by).login,
        at: state.clock.now(),
      });
      await pushed(repository, who(by));
      return sha;
    },
    openPull({ title, body = null, head, headRepository, base, labels = [], by }) {
      const from =
        headRepository === undefined
          ? repository
          : (state.repositories.find((one) => fullName(one) === headRepository) ??
            missing(headRepository));
      return pulls.openPull(state, repository, announce, {
        title,
        body,
        head,
        headRepository: from,
        base: base ?? repository.defaultBranch,
        labels,
        by: who(by),
      });
    },
    mergePull: (number, by) =>
      pulls.mergePull(state, repository, announce, itemAt(number), who(by)),
    review: (number, { state: verdict = "commented", body = null, by }) =>
      comments.addReview(state, announce, itemAt(number), { state: verdict, body, by: who(by) }),
    editReview(number, id, body, by) {
      const item = itemAt(number);
      const review = item.pull?.reviews.find((one) => one.id === id) ?? missing(`review ${id}`);
      comments.editReview(state, announce, item, review, body, who(by));
    },
    commentOnLine: (number, { body, path, line = 1, replyTo, by }) =>
      comments.addDiffComment(state, announce, itemAt(number), {
        body,
        path,
        line,
        replyTo: replyTo ?? null,
        by: who(by),
      }),
    async check({ name, of, conclusion, kind = "check_run", by }) {
      const sha = (await headOf(repository.directory, of)) ?? of;
      const check: Check = {
        id: takeId(state),
        kind,
        name,
        sha,
        at: timeNow(state),
        status: conclusion === null ? "in_progress" : "completed",
        conclusion,
      };
      repository.checks.push(check);
      await announce.check(check, who(by));
    },
    rename(name) {
      repository.formerNames.push(repository.name);
      repository.name = name;
    },
    issue: itemAt,
    issues: () => [...repository.items],
  };
  return { handle, announce };
}

/** The comment of that id and where it stands; null when there is none. */
export function findComment(
  repository: Repository,
  id: number,
): { readonly item: Item; readonly comment: Comment } | null {
  for (const item of repository.items) {
    const comment = item.comments.find((one) => one.id === id);
    if (comment !== undefined) return { item, comment };
  }
  return null;
}

function missing(what: string): never {
  throw new Error(`there is no ${what} here`);
}
