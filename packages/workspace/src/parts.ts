import type { Lock, Ref, RunGit } from "@loopwork/core/ports";
import type { AtMost } from "./concurrency-limit.ts";
import type { Budget } from "./checkout-size-limit.ts";
import type { CleanConfigs } from "./clean-config.ts";
import type { Fetches } from "./fetches.ts";
import type { Git, GitEnvironment } from "./git.ts";
import type { Strategy } from "./layout.ts";
import type { Own } from "./own-repository.ts";
import type { Registry } from "./registry.ts";
import type { WithRepository } from "./repository-lock.ts";

export type WorkspaceOptions = {
  /** `routing.workspace.root`, absolute; null or empty means one folder for all sessions. */
  readonly root: string | null;
  readonly spawnWorkdir: string;
  /** Home folder of the user: never a root, never a work tree for sessions. */
  readonly home: string;
  /** Absolute; keeps the list of checkouts and what was saved from them. */
  readonly stateRoot: string;
  readonly locks: Lock;
  /** For checkouts that are made from now on; those that stand stay what they are. */
  readonly strategy: Strategy;
  readonly keepCheckoutOnClose: boolean;
  /** The most that one checkout may hold; `usualBudget` unless said otherwise. */
  readonly budget?: Budget;
  /** Worktrees kept warm per repository (`routing.workspace.pool`); none unless said otherwise. */
  readonly pool?: number;
  /** Days that work which a release saved is kept; 14 unless said otherwise. */
  readonly salvageDays?: number;
  /**
   * Base of clone addresses that may be plain http or a local path: from the operator's settings
   * alone (`ownBaseOf`).
   */
  readonly ownBase?: string | null;
  /**
   * Environment that git runs in, without secrets of the service's own; a function is asked for
   * each command.
   */
  readonly env: GitEnvironment;
  /** Runs git; as a child of this process unless said otherwise. */
  readonly runGit?: RunGit;
  readonly now?: () => number;
  /** Told what was done to locks and clones on the way, and what could not be done. */
  readonly onNote?: (note: string) => void;
  /**
   * Told which keys were taken out of a clone's configuration before git was used there, a line
   * each.
   */
  readonly onHardened?: (clone: string, removed: readonly string[], workItem: Ref) => void;
};

/** What the parts of a running workspace share. */
export type Parts = {
  readonly options: WorkspaceOptions;
  readonly root: () => Promise<string>;
  readonly git: Git;
  readonly own: Own;
  readonly registry: Registry;
  readonly withRepository: WithRepository;
  readonly fetches: Fetches;
  readonly writing: AtMost;
  readonly clean: CleanConfigs;
  readonly measured: Map<string, Budget>;
  readonly now: () => number;
};
