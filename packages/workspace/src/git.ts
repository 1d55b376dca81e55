import { simpleGit, type SimpleGitOptions } from "simple-git";
import { hardenedConfig, hardenedEnv, userSshCommand } from "./hardening.ts";
import type { Protocol } from "./remote.ts";

/** Our one way to run git. Refs are handed in whole and after `--end-of-options`; nothing from outside is ever an option. */
export interface Git {
  /** Runs in `directory` and returns what was printed. Rejects with git's own words. */
  run(directory: string, args: readonly string[], more?: GitRun): Promise<string>;
}

/** `input` goes to standard input; `minutes` is the most that the command may take; `env` is added. */
export type GitRun = { readonly protocol?: Protocol; readonly input?: Buffer | string; readonly minutes?: number; readonly env?: Readonly<Record<string, string>> };

/** What simple-git would refuse on its own: our hardening sets these to fixed values, and the user's own `GIT_CONFIG_*` may hold the last four. */
const ours = ["allowUnsafeHooksPath", "allowUnsafeFsMonitor", "allowUnsafePager", "allowUnsafeEditor", "allowUnsafeProtocolOverride", "allowUnsafeSshCommand", "allowUnsafeAskPass", "allowUnsafeTemplateDir", "allowUnsafeConfigPaths", "allowUnsafeConfigEnvCount", "allowUnsafeCredentialHelper", "allowUnsafeUrlRewrite", "allowUnsafeInclude", "allowUnsafeGpgProgram"] as const;

/** Hardened git with the user's own logins (decisions.md 9). `env` is the environment of the daemon. */
export function createGit(env: Readonly<Record<string, string | undefined>>): Git {
  let ssh: Promise<string> | null = null;
  const run: Git["run"] = async (directory, args, more = {}) => {
    ssh ??= ownSshCommand(env);
    const full = { ...hardenedEnv(env, await ssh, more.protocol ?? null), ...more.env };
    return start(directory, hardenedConfig(more.protocol ?? null), full, more).raw([...args]);
  };
  return { run };
}

function start(directory: string, config: readonly string[], env: Readonly<Record<string, string>>, more: GitRun) {
  const options: Partial<SimpleGitOptions> = {
    baseDir: directory,
    config: [...config],
    allowEnvironment: Object.keys(env),
    unsafe: Object.fromEntries(ours.map((name) => [name, true])),
    abort: AbortSignal.timeout((more.minutes ?? 2) * 60_000),
    ...(more.input === undefined ? {} : { input: () => more.input }),
  };
  return simpleGit(options).env({ ...env });
}

/** `core.sshCommand` of the user's own files; a repository's is never asked. */
async function ownSshCommand(env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const base = hardenedEnv(env, "ssh", null);
  for (const scope of ["--global", "--system"]) {
    const found = await start("/", hardenedConfig(null), base, {}).raw(["config", scope, "--includes", "--get", "core.sshCommand"]).catch(() => "");
    if (found.trim() !== "") return userSshCommand(env, found.trim());
  }
  return userSshCommand(env, "");
}
