import { GitLost, type RunGit } from "@loopwork/core/ports";
import { complaintOf, WorkspaceError } from "./failure.ts";
import { hardenedConfig, hardenedEnv, userSshCommand } from "./hardening.ts";
import { decodeName, encodeName, shownName } from "./names.ts";
import type { Protocol } from "./remote.ts";
import { runGit } from "./run-git.ts";

/** Our one way to run git. Refs are handed in whole and after `--end-of-options`; nothing from outside is ever an option. */
export interface Git {
  /**
   * Runs in `directory` and returns all that was printed, its bytes as `decodeName` writes them. Rejects with
   * `LOOP_E_WORKSPACE_GIT`, git's own error as its cause, also when git was killed or ended otherwise than was expected; with `GitLost` as it is.
   */
  run(directory: string, args: readonly string[], more?: GitRun): Promise<string>;
}

/**
 * `input` goes to standard input, text as `encodeName` writes it; `minutes` is the most that the command may take; `env` is
 * added; `answers` are exit codes beside 0 that are no failure where git says nothing else about them.
 */
export type GitRun = { readonly protocol?: Protocol; readonly input?: Buffer | string; readonly minutes?: number; readonly answers?: readonly number[]; readonly env?: Readonly<Record<string, string>> };

/** The environment that git runs in, or who tells it anew for each command. */
export type GitEnvironment = Readonly<Record<string, string | undefined>> | (() => Readonly<Record<string, string | undefined>>);

/** Hardened git with the user's own logins. `start` runs it. */
export function createGit(environment: GitEnvironment, start: RunGit = runGit): Git {
  let ssh: Promise<string> | null = null;
  const run: Git["run"] = async (directory, args, more = {}) => {
    const env = typeof environment === "function" ? environment() : environment;
    try {
      ssh ??= ownSshCommand(env, start);
      const own = await ssh.catch((error: unknown) => {
        ssh = null;
        throw error;
      });
      const full = { ...hardenedEnv(env, own, more.protocol ?? null), ...more.env };
      const once = (): Promise<string> => printed(start, directory, hardenedConfig(more.protocol ?? null), full, args, more);
      return await once().catch((error: unknown) => {
        if (error instanceof GitLost && onlyReads(args)) return once();
        throw error;
      });
    } catch (error) {
      if (error instanceof GitLost) throw error;
      throw gitFailure(args, directory, error);
    }
  };
  return { run };
}

/** Commands that change nothing: one of which nobody saw the end is asked again. */
const reading: ReadonlySet<string> = new Set(["cat-file", "for-each-ref", "ls-files", "ls-remote", "ls-tree", "merge-base", "rev-list", "rev-parse", "status"]);

function onlyReads(args: readonly string[]): boolean {
  return reading.has(args.find((each) => !each.startsWith("-")) ?? "");
}

async function printed(start: RunGit, directory: string, config: readonly string[], env: Readonly<Record<string, string>>, args: readonly string[], { input, minutes = 2, answers = [] }: GitRun): Promise<string> {
  // A command line is text: such a name would reach git as another one.
  const odd = [directory, ...args].find((each) => !each.isWellFormed());
  if (odd !== undefined) throw new Error(`${shownName(odd)} is no UTF-8, and git cannot be told such a name here`);
  const bytes = await start({ directory, config, env, args, input: typeof input === "string" ? encodeName(input) : (input ?? null), minutes, answers });
  return decodeName(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

function gitFailure(args: readonly string[], directory: string, error: unknown): WorkspaceError {
  const failure = new WorkspaceError("LOOP_E_WORKSPACE_GIT", `git ${args[0] ?? ""} failed in ${directory}: ${complaintOf(error)}`, "Look at the folder by hand; it is not touched again before the next try.");
  failure.cause = error;
  return failure;
}

/** `core.sshCommand` of the user's own files; a repository's is never asked. */
async function ownSshCommand(env: Readonly<Record<string, string | undefined>>, start: RunGit): Promise<string> {
  const base = hardenedEnv(env, "ssh", null);
  // Without a home folder git has no file of the user's own to ask, and complains.
  const scopes = env["HOME"] === undefined && env["GIT_CONFIG_GLOBAL"] === undefined ? ["--system"] : ["--global", "--system"];
  for (const scope of scopes) {
    const found = await printed(start, "/", hardenedConfig(null), base, ["config", scope, "--includes", "--get", "core.sshCommand"], { answers: [1] });
    if (found.trim() !== "") return userSshCommand(env, found.trim());
  }
  return userSshCommand(env, "");
}
