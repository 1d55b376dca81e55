import { Readable } from "node:stream";
import { simpleGit, type SimpleGitOptions } from "simple-git";
import { complaintOf, WorkspaceError } from "./failure.ts";
import { hardenedConfig, hardenedEnv, userSshCommand } from "./hardening.ts";
import { decodeName, encodeName, shownName } from "./names.ts";
import type { Protocol } from "./remote.ts";

/** Our one way to run git. Refs are handed in whole and after `--end-of-options`; nothing from outside is ever an option. */
export interface Git {
  /**
   * Runs in `directory` and returns all that was printed, its bytes as `decodeName` writes them. Rejects with
   * `LOOP_E_WORKSPACE_GIT`, git's own error as its cause, also when git was killed or ended otherwise than was expected.
   */
  run(directory: string, args: readonly string[], more?: GitRun): Promise<string>;
}

/**
 * `input` goes to standard input, text as `encodeName` writes it; `minutes` is the most that the command may take; `env` is
 * added; `answers` are exit codes beside 0 that are no failure where git says nothing else about them.
 */
export type GitRun = { readonly protocol?: Protocol; readonly input?: Buffer | string; readonly minutes?: number; readonly answers?: readonly number[]; readonly env?: Readonly<Record<string, string>> };

/**
 * What simple-git would refuse on its own, to protect from words that came from outside. Here no such word is ever an
 * option: hardening sets some of these keys to fixed values, `clean-config` takes others out, and the user's own
 * `GIT_CONFIG_*` may hold any.
 */
const ours = ["Alias", "AskPass", "CommandBinaries", "ConfigEnvCount", "ConfigPaths", "CredentialHelper", "DiffExternal", "DiffTextConv", "Editor", "Filter", "FsMonitor", "GitProxy", "GpgProgram", "HooksPath", "Include", "MergeDriver", "Pack", "Pager", "ProtocolOverride", "SshCommand", "Submodule", "TemplateDir", "UrlRewrite"] as const;

/** Hardened git with the user's own logins (decisions.md 9). `env` is the environment of the daemon. */
export function createGit(env: Readonly<Record<string, string | undefined>>): Git {
  let ssh: Promise<string> | null = null;
  const run: Git["run"] = async (directory, args, more = {}) => {
    try {
      ssh ??= ownSshCommand(env);
      const own = await ssh.catch((error: unknown) => {
        ssh = null;
        throw error;
      });
      const full = { ...hardenedEnv(env, own, more.protocol ?? null), ...more.env };
      return await start(directory, hardenedConfig(more.protocol ?? null), full, args, more);
    } catch (error) {
      throw gitFailure(args, directory, error);
    }
  };
  return { run };
}

async function start(directory: string, config: readonly string[], env: Readonly<Record<string, string>>, args: readonly string[], more: GitRun): Promise<string> {
  // A command line is text: such a name would reach git as another one.
  const odd = [directory, ...args].find((each) => !each.isWellFormed());
  if (odd !== undefined) throw new Error(`${shownName(odd)} is no UTF-8, and git cannot be told such a name here`);
  const printed: Buffer[] = [];
  const abort = AbortSignal.timeout((more.minutes ?? 2) * 60_000);
  const streams: NodeJS.ReadableStream[] = [];
  const dropAll = (): void => streams.forEach(drop);
  const options: Partial<SimpleGitOptions> = {
    baseDir: directory,
    config: [...config],
    allowEnvironment: Object.keys(env),
    unsafe: Object.fromEntries(ours.map((name) => [`allowUnsafe${name}`, true])),
    abort,
    // The library would take what has come 50 ms after the exit for all of it, which is too little on a busy machine.
    completion: { onClose: true, onExit: false },
    errors: (error, { exitCode }) => error ?? unexpected(exitCode, more.answers ?? []),
    ...(more.input === undefined ? {} : { input: () => (typeof more.input === "string" ? encodeName(more.input) : more.input) }),
  };
  const collect = (_command: string, stdout: NodeJS.ReadableStream, stderr: NodeJS.ReadableStream): void => {
    stdout.on("data", (piece: Buffer) => void printed.push(piece));
    streams.push(stdout, stderr);
    endPromptly(stdout);
    letGo(stdout, stderr);
  };
  abort.addEventListener("abort", dropAll);
  try {
    await simpleGit(options).env({ ...env }).outputHandler(collect).raw([...args]);
  } finally {
    // A signal that somebody listens to is kept until its time is over.
    abort.removeEventListener("abort", dropAll);
  }
  return decodeName(Buffer.concat(printed));
}

/** The library takes for success whatever wrote no complaint, a git that was killed as well. */
function unexpected(exitCode: number, answers: readonly number[]): Error | undefined {
  if ([0, ...answers].includes(exitCode)) return undefined;
  return new Error(Number.isInteger(exitCode) ? `it ended with ${exitCode} and said nothing` : "it was killed");
}

/** How long complaints may still come once all output has, in milliseconds. */
const lingerMs = 2_000;

/**
 * Complaints are not waited for when something that outlives git holds their stream, as an ssh that keeps its connection
 * does. What git prints is waited for until its time is over.
 */
function letGo(stdout: NodeJS.ReadableStream, stderr: NodeJS.ReadableStream): void {
  stdout.once("end", () => {
    const timer = setTimeout(() => drop(stderr), lingerMs).unref();
    stderr.once("close", () => clearTimeout(timer));
  });
}

/** The streams of a child's are readable ones; the library's types do not say so. */
function drop(stream: NodeJS.ReadableStream): void {
  if (stream instanceof Readable) stream.destroy();
}

/**
 * The library waits another 50 ms for a command that printed nothing, lest output come after the exit; it waits for the
 * end of both streams as well, so nothing can. An empty piece of output spares that wait: most of our commands are silent.
 */
function endPromptly(stdout: NodeJS.ReadableStream): void {
  setImmediate(() => stdout.emit("data", Buffer.alloc(0)));
}

function gitFailure(args: readonly string[], directory: string, error: unknown): WorkspaceError {
  const failure = new WorkspaceError("LOOP_E_WORKSPACE_GIT", `git ${args[0] ?? ""} failed in ${directory}: ${complaintOf(error)}`, "Look at the folder by hand; it is not touched again before the next try.");
  failure.cause = error;
  return failure;
}

/** `core.sshCommand` of the user's own files; a repository's is never asked. */
async function ownSshCommand(env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const base = hardenedEnv(env, "ssh", null);
  // Without a home folder git has no file of the user's own to ask, and complains.
  const scopes = env["HOME"] === undefined && env["GIT_CONFIG_GLOBAL"] === undefined ? ["--system"] : ["--global", "--system"];
  for (const scope of scopes) {
    const found = await start("/", hardenedConfig(null), base, ["config", scope, "--includes", "--get", "core.sshCommand"], { answers: [1] });
    if (found.trim() !== "") return userSshCommand(env, found.trim());
  }
  return userSshCommand(env, "");
}
