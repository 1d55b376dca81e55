import type { Message } from "../outside/message.ts";
import type { Ref } from "../work-item/ref.ts";

/** Gives every work item a checkout of its own. */
export interface Workspace {
  /** Makes the checkout, or finds it as it is when it stands already. */
  prepare(request: CheckoutRequest): Promise<CheckoutResult>;
  /**
   * Removes checkouts of the work item. Uncommitted and unpushed work is saved first; a failure to
   * save removes nothing. `closed` (the default) respects `keepCheckoutOnClose`.
   */
  release(workItem: Ref, why?: "closed" | "cleaned-up"): Promise<ReleaseResult>;
  /** Commit that is checked out at a directory; null when it is no work tree. */
  headOf(workdir: string): Promise<string | null>;
  /**
   * What is not committed there: `XY path` of each file as `git status --porcelain` has it,
   * untracked ones too, ignored ones not. Empty when it is no work tree.
   */
  changesOf(workdir: string): Promise<readonly string[]>;
  /**
   * Whether the repository of a checkout has chosen loop: its base branch tracks a manifest or a
   * harness configuration (specification 1.8). A folder `.loop/` says nothing, since the product
   * keeps its own state in such a one, and what a head tracks says nothing either, since whoever
   * wrote that head may be a stranger. False where there is no repository, or nobody can tell.
   * Nothing of ours is put into any other.
   */
  hasChosenLoop(workdir: string): Promise<boolean>;
  /**
   * Commits that are checked out there and that no remote is known to have, newest first, at most
   * 1,000; null where nobody can tell.
   */
  unpushedOf(workdir: string): Promise<readonly string[] | null>;
  /**
   * Absolute folders outside of a checkout that git reads there: objects that its clone borrows. By
   * our own record, not by what stands in it.
   */
  borrowedBy(workdir: string): Promise<readonly string[]>;
  /** How a checkout of ours was made, by where it stands; null for any other folder. */
  strategyAt(workdir: string): "worktree" | "clone" | null;
  /**
   * Copies into an empty folder what stands there and git does not ignore, without links and
   * without whatever an agent or its harness takes orders from, at any depth. `keep`: a folder
   * below the directory whose files count, though its own path may be such a name.
   */
  copyOf(workdir: string, into: string, keep?: string | null): Promise<CopyResult>;
}

/**
 * What git says of a directory's work tree, for `ls-files` and `cat-file` alone; undefined where it
 * says nothing. Nothing that stands in the work tree or its repository decides what git runs for
 * it.
 */
export interface AskGit {
  ask(
    workdir: string,
    args: readonly ["ls-files" | "cat-file", ...string[]],
  ): Promise<string | undefined>;
}

/** `why` is a sentence without its beginning: "it has more than 100000 files". */
export type CopyResult =
  | { readonly kind: "copied" }
  | { readonly kind: "failed"; readonly why: string };

/** What releases saved, and how it comes back. */
export interface Salvage {
  /**
   * Makes the checkouts of the work item what they were at their last release, byte for byte;
   * changes nothing when it cannot.
   */
  undoCleanup(workItem: Ref): Promise<UndoResult>;
  /** Removes what is older than `routing.workspace.salvageDays`; the folders that went. */
  forgetSaved(): Promise<readonly string[]>;
}

export type UndoResult =
  | {
      readonly kind: "restored";
      readonly checkouts: readonly string[];
      readonly notes: readonly string[];
    }
  | { readonly kind: "nothing" }
  | {
      readonly kind: "failed";
      readonly code: `LOOP_E_${string}`;
      readonly detail: string;
      readonly hint: string;
    };

export type CheckoutRequest = {
  readonly workItem: Ref;
  /** Whose repository is checked out: the work item's, or the pull request's. */
  readonly repository: {
    readonly host: string;
    readonly owner: string;
    readonly name: string;
    readonly cloneUrl: string;
    readonly defaultBranch: string | null;
    /** Domain in the checkout's path when it is another than `host`. */
    readonly folder?: string;
  };
  /**
   * Branch of the same repository to seed from; null for a detached checkout of the default branch.
   */
  readonly headBranch: string | null;
  /**
   * Pull request whose head is checked out by its number, because it lives in another repository;
   * wins over `headBranch`.
   */
  readonly headPull?: number | null;
  /**
   * Set when the head is not an authorized person's: agent and hook configuration comes from this
   * branch, or from the default branch where it is null.
   */
  readonly restoreFrom?: { readonly branch: string | null } | null;
};

export type CheckoutResult =
  | {
      readonly kind: "ready";
      readonly workdir: string;
      readonly created: boolean;
      readonly head: string;
      readonly notes: readonly Message[];
    }
  | {
      readonly kind: "failed";
      readonly code: string;
      readonly detail: string;
      readonly hint: string;
    };

export type ReleaseResult =
  | {
      readonly kind: "released";
      readonly removed: readonly string[];
      readonly salvage: string | null;
    }
  | { readonly kind: "nothing" }
  | { readonly kind: "kept"; readonly why: string };
