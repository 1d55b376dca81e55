import type { SandboxDecision, SandboxMode } from "../turn/sandbox.ts";
import type { SandboxFiles } from "./harness.ts";

/**
 * The harness's own sandbox around the commands of a turn (ADR 0020): whether it can be had, and
 * what one attempt needs of it.
 */
export interface Sandbox {
  /**
   * Whether work in a place runs in it. Asks the machine each time, so that a repair counts at
   * once.
   */
  decide(mode: SandboxMode, place: SandboxPlace): Promise<SandboxDecision>;
  /**
   * Makes the settings file and the temporary folder of an attempt, and readies its checkout.
   * Rejects with `LOOP_E_SANDBOX`.
   */
  open(order: SandboxOrder): Promise<SandboxFiles>;
  /**
   * What `open` made for an attempt that may have been begun in an earlier life; null where it ran
   * without.
   */
  find(turnDir: string, receipt: string): Promise<SandboxFiles | null>;
  /**
   * Removes what an attempt left: its temporary folder, its processes there, and placeholders in
   * its checkout. Nothing of it may run any more.
   */
  close(turnDir: string, receipt: string): Promise<void>;
}

/**
 * `hide`: absolute folders and files that no command may read. `checkout` null: what a new one
 * would be like, by `strategy`. `strategy` null: the checkout is a folder of the operator's.
 * `ranSandboxed`: work of the item ran in it before.
 */
export type SandboxPlace = {
  readonly checkout: string | null;
  readonly strategy: "worktree" | "clone" | null;
  readonly hide: readonly string[];
  readonly ranSandboxed: boolean;
};

/**
 * All paths are absolute. Of `hide`, which holds loop's own secrets, and what is open the deeper
 * path wins; a path in both is hidden, unless the turn works in it.
 */
export type SandboxOrder = {
  readonly receipt: string;
  readonly turnDir: string;
  readonly checkout: string;
  /** Folders beside the checkout in which the session works as in it. */
  readonly alsoIn: readonly string[];
  readonly hide: readonly string[];
  /** Files and folders that steer the service: nobody writes them, wherever they lie. */
  readonly locked: readonly string[];
  readonly read: readonly string[];
  readonly write: readonly string[];
  readonly domains: readonly string[];
  readonly exclude: readonly string[];
  /**
   * Environment of the attempt, and the names that its commands keep although they look like
   * secrets.
   */
  readonly env: Readonly<Record<string, string>>;
  readonly passEnv: readonly string[];
};
