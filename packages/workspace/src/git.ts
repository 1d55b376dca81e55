import { delimiter } from "node:path";
import { GitLost, type RunGit } from "@loopwork/core/ports";
import { changeRefs, type RefChanges } from "./change-refs.ts";
import { complaintOf, WorkspaceError } from "./failure.ts";
import { apartConfig, apartEnv, hardenedConfig, hardenedEnv, userSshCommand } from "./hardening.ts";
import { decodeName, encodeName, shownName } from "./names.ts";
import { type OwnRepository, quoted } from "./own-repository.ts";
import type { Protocol } from "./remote.ts";
import { runGit } from "./run-git.ts";

/**
 * Where a command runs. None of these lets git discover a repository: what a session left in a
 * checkout or in a clone can never become the configuration of a command that reads files, writes
 * files or talks to a remote.
 *
 * - `own`: in a repository of ours, which nobody else writes.
 * - `records`: on the records of a clone, to see whether git can work with its configuration. Only
 *   `symbolic-ref` is run there, to read: a git that writes in a clone goes through links.
 * - `new`: where a repository is made, in an empty folder of ours whose name nobody knows.
 * - `nowhere`: in no repository at all.
 */
export type Where =
  | { readonly kind: "own"; readonly repository: OwnRepository }
  | { readonly kind: "records"; readonly clone: string }
  | { readonly kind: "new"; readonly clone: string }
  | { readonly kind: "nowhere" };

/**
 * Our one way to run git. Refs are handed in whole and after `--end-of-options`; nothing from
 * outside is ever an option.
 */
export interface Git {
  /**
   * Returns all that was printed, its bytes as `decodeName` writes them. Rejects with
   * `LOOP_E_WORKSPACE_GIT`, git's own error as its cause, also when git was killed or ended
   * otherwise than was expected; with `GitLost` as it is.
   */
  run(where: Where, args: readonly string[], more?: GitRun): Promise<string>;
  /** Changes references of a clone without starting a program. Rejects as `run` does. */
  changeRefs(clone: string, changes: RefChanges): Promise<void>;
}

/**
 * `protocol` allows the command to talk to a remote; without it git has no transport at all.
 * `input` goes to standard input, text as `encodeName` writes it; `minutes` is the most that the
 * command may take; `answers` are exit codes beside 0 that are no failure where git says nothing
 * else about them.
 */
export type GitRun = {
  readonly protocol?: Protocol;
  readonly input?: Buffer | string;
  readonly minutes?: number;
  readonly answers?: readonly number[];
};

/** What may be run on the records of a clone, and on those that are being made. */
const commands = {
  records: (args: readonly string[]): boolean =>
    args[0] === "symbolic-ref" && args.filter((each) => !each.startsWith("-")).length === 2,
  new: (args: readonly string[]): boolean => args[0] === "init",
} as const;

/** Folder that a command runs in: the files that it is about, where it is about files. */
export const folderOf = (where: Where): string =>
  where.kind === "own"
    ? (where.repository.workTree ?? where.repository.gitDir)
    : where.kind === "nowhere"
      ? "/"
      : where.clone;

/** The environment that git runs in, or who tells it anew for each command. */
export type GitEnvironment =
  | Readonly<Record<string, string | undefined>>
  | (() => Readonly<Record<string, string | undefined>>);

/** Hardened git with the user's own logins. `start` runs it. */
export function createGit(given: GitEnvironment, start: RunGit = runGit): Git {
  let ssh: Promise<string> | null = null;
  const sshCommand = async (env: Readonly<Record<string, string | undefined>>): Promise<string> => {
    ssh ??= ownSshCommand(env, start);
    return ssh.catch((error: unknown) => {
      ssh = null;
      throw error;
    });
  };
  /**
   * Logins only for commands that may need one: those that talk to a remote, and those that write
   * files through the user's filters.
   */
  const environment = async (
    where: Where,
    protocol: Protocol | null,
  ): Promise<Readonly<Record<string, string>>> => {
    const env = typeof given === "function" ? given() : given;
    if (protocol !== null)
      return {
        ...hardenedEnv(env, await sshCommand(env), protocol),
        ...onlyAsAsked,
        ...placeOf(where),
      };
    if (where.kind === "own" && where.repository.purpose === "write-files")
      return {
        ...hardenedEnv(env, await sshCommand(env), null),
        ...noTransport,
        ...placeOf(where),
      };
    return { ...apartEnv(env), ...noTransport, ...placeOf(where) };
  };
  const run: Git["run"] = async (where, args, more = {}) => {
    const directory = folderOf(where);
    const protocol = more.protocol ?? null;
    const isInClone = where.kind === "records" || where.kind === "new";
    if (isInClone && (protocol !== null || !commands[where.kind](args)))
      throw new Error(`git ${args[0] ?? ""} is not run on the records of a clone`);
    try {
      const full = await environment(where, protocol);
      const config = protocol === null ? apartConfig : hardenedConfig(protocol);
      const once = (): Promise<string> => printed(start, directory, config, full, args, more);
      return await once().catch((error: unknown) => {
        if (error instanceof GitLost && onlyReads(args)) return once();
        throw error;
      });
    } catch (error) {
      if (error instanceof GitLost) throw error;
      throw gitFailure(args, directory, error);
    }
  };
  return { run, changeRefs };
}

/**
 * Not even a repository that says it has its objects elsewhere makes git fetch them; what an object
 * is, no reference changes.
 */
const onlyAsAsked = { GIT_NO_LAZY_FETCH: "1", GIT_NO_REPLACE_OBJECTS: "1" } as const;
const noTransport = { ...onlyAsAsked, GIT_ALLOW_PROTOCOL: "" } as const;

/** Said in full for every command, so that git looks for nothing by itself. */
function placeOf(where: Where): Readonly<Record<string, string>> {
  if (where.kind === "nowhere") return { GIT_DIR: "/dev/null" };
  // Without the second, a file `commondir` could lead to the configuration of another repository.
  if (where.kind === "records" || where.kind === "new")
    return { GIT_DIR: `${where.clone}/.git`, GIT_COMMON_DIR: `${where.clone}/.git` };
  const { gitDir, workTree, index, objects, lent } = where.repository;
  return {
    GIT_DIR: gitDir,
    GIT_COMMON_DIR: gitDir,
    GIT_INDEX_FILE: index,
    GIT_LITERAL_PATHSPECS: "1",
    ...author,
    ...(workTree === null ? {} : { GIT_WORK_TREE: workTree }),
    ...(objects === null ? {} : { GIT_OBJECT_DIRECTORY: objects }),
    ...(lent.length === 0
      ? {}
      : { GIT_ALTERNATE_OBJECT_DIRECTORIES: lent.map(quoted).join(delimiter) }),
  };
}

/** Who writes the commits that we make of a checkout. */
const author = {
  GIT_AUTHOR_NAME: "loop",
  GIT_AUTHOR_EMAIL: "loop@localhost",
  GIT_COMMITTER_NAME: "loop",
  GIT_COMMITTER_EMAIL: "loop@localhost",
};

/** Commands that change nothing: one of which nobody saw the end is asked again. */
const reading: ReadonlySet<string> = new Set([
  "cat-file",
  "ls-files",
  "ls-remote",
  "ls-tree",
  "merge-base",
  "rev-list",
  "rev-parse",
  "status",
]);

function onlyReads(args: readonly string[]): boolean {
  return reading.has(args.find((each) => !each.startsWith("-")) ?? "");
}

async function printed(
  start: RunGit,
  directory: string,
  config: readonly string[],
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  { input, minutes = 2, answers = [] }: GitRun,
): Promise<string> {
  // A command line is text: such a name would reach git as another one.
  const odd = [directory, ...args].find((each) => !each.isWellFormed());
  if (odd !== undefined)
    throw new Error(`${shownName(odd)} is no UTF-8, and git cannot be told such a name here`);
  const bytes = await start({
    directory,
    config,
    env,
    args,
    input: typeof input === "string" ? encodeName(input) : (input ?? null),
    minutes,
    answers,
  });
  return decodeName(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

function gitFailure(args: readonly string[], directory: string, error: unknown): WorkspaceError {
  const failure = new WorkspaceError(
    "LOOP_E_WORKSPACE_GIT",
    `\`git ${args[0] ?? ""}\` failed in ${directory}: ${complaintOf(error)}`,
    "Look at the folder by hand; it is not touched again before the next try.",
  );
  failure.cause = error;
  return failure;
}

/** `core.sshCommand` of the user's own files; a repository's is never asked. */
async function ownSshCommand(
  env: Readonly<Record<string, string | undefined>>,
  start: RunGit,
): Promise<string> {
  const base = { ...apartEnv(env), ...noTransport, ...placeOf({ kind: "nowhere" }) };
  // Without a home folder git has no file of the user's own to ask, and complains.
  const scopes =
    env["HOME"] === undefined && env["GIT_CONFIG_GLOBAL"] === undefined
      ? ["--system"]
      : ["--global", "--system"];
  for (const scope of scopes) {
    const found = await printed(
      start,
      "/",
      apartConfig,
      base,
      ["config", scope, "--includes", "--get", "core.sshCommand"],
      { answers: [1] },
    );
    if (found.trim() !== "") return userSshCommand(env, found.trim());
  }
  return userSshCommand(env, "");
}
