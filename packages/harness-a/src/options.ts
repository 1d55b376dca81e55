import type { RunProcess } from "@loopwork/core/ports";
import type { TerminalOptions } from "./terminal/plan.ts";

/** What the composition root hands to `createHarnessA`; the names follow `harnesses.A.*`. */
export type HarnessAOptions = {
  /** Program to run: a name that is looked up in `PATH`, or a path. */
  readonly command: string;
  readonly args: readonly string[];
  /** Variables for the child, on top of the turn's environment. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Names of variables that reach the child although they look like those of a surrounding harness.
   */
  readonly passEnv: readonly string[];
  readonly permissions: "guarded" | "bypass";
  /**
   * Commands (`npm`, `cargo test`) or the harness's own tool patterns (`WebFetch`, `Bash(make *)`).
   */
  readonly allowedTools: readonly string[];
  /** Command line clients of the code host that a session may use. */
  readonly hostCommands: readonly string[];
  /** True: the checkout's own settings, hooks and servers load too. */
  readonly projectSettings: boolean;
  /** Absolute path of the plugin folder. */
  readonly pluginDir: string;
  /**
   * Environment of the operator, without what is no child's business: says where the harness keeps
   * its files when a turn's does not.
   */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Home folder of the user. */
  readonly home: string;
  readonly processes: RunProcess;
  /** Folder for the files of short probes; created when missing. */
  readonly probeDir: string;
  /** Terminals to which people can attach; absent or null: there are none, and never were. */
  readonly terminal?: TerminalOptions | null;
};

/** Defaults of every option that has one. */
export const defaults: Pick<
  HarnessAOptions,
  | "command"
  | "args"
  | "env"
  | "passEnv"
  | "permissions"
  | "allowedTools"
  | "hostCommands"
  | "projectSettings"
> = {
  command: "claude",
  args: [],
  env: {},
  passEnv: [],
  permissions: "guarded",
  allowedTools: [
    "npm",
    "pnpm",
    "yarn",
    "npx",
    "node",
    "make",
    "cargo",
    "go",
    "python",
    "pytest",
    "mvn",
    "gradle",
  ],
  hostCommands: ["gh"],
  projectSettings: false,
};
