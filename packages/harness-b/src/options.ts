import type { RunProcess } from "@loopwork/core/ports";

/** What the composition root hands to `createHarnessB`; the names follow `harnesses.B.*`. */
export type HarnessBOptions = {
  /**
   * Program to run; null looks for `cursor-agent` and then for `agent`, a name that other tools
   * use, too.
   */
  readonly command: string | null;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly passEnv: readonly string[];
  readonly permissions: "guarded" | "bypass";
  /**
   * Whether workspaces may be marked as trusted (`routing.harnessTrust.enabled`); without it the
   * harness refuses one that the operator has not trusted.
   */
  readonly trust: boolean;
  /** Environment of the operator, without what is no child's business. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly processes: RunProcess;
  /** Folder for the files of short calls; created when missing. */
  readonly probeDir: string;
};
