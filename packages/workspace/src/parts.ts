import type { Lock } from "@loopwork/core/ports";
import type { Git } from "./git.ts";
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
  readonly strategy: "worktree" | "clone";
  readonly keepCheckoutOnClose: boolean;
  /** Base of clone addresses that may be plain http or a local path: from the operator's settings alone (`ownBaseOf`). */
  readonly ownBase?: string | null;
  /** Environment that git runs in; the daemon's own unless said otherwise. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly now?: () => number;
  /** Told what was removed or overridden in shared clones, and what could not be done. */
  readonly onNote?: (note: string) => void;
};

/** What the parts of a running workspace share. */
export type Parts = { readonly options: WorkspaceOptions; readonly root: () => Promise<string>; readonly git: Git; readonly registry: Registry; readonly withRepository: WithRepository; readonly now: () => number };
