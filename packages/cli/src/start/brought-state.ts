import { existsSync, readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { LoopError } from "@loopwork/core/errors";
import { repositoryAround } from "../manifest/repository-around.ts";
import { trackedBelow } from "../runtime/ask-git.ts";

/** What people commit in a `.loop` that is the state root as well. */
const committed = ["cli-config.yaml", "manifest.yaml", "harness-config.yaml", ".gitignore"];
const committedFolders = ["learnings-pending/"];

/**
 * Files of the state root that a repository brought along: a store, programs or tokens that its
 * author wrote would be taken for our own. Throws `LOOP_E_STATE_BROUGHT`.
 */
export function refuseBroughtState(stateRoot: string): void {
  if (stateRoot === join(homedir(), ".loop")) return; // A repository of the home folder itself is the user's own.
  const tracked = existsSync(stateRoot) ? trackedState(stateRoot) : [];
  if (tracked === null)
    throw new LoopError(
      "LOOP_E_STATE_BROUGHT",
      `git doesn't say which files of ${stateRoot} are committed`,
      "run `git status` there and fix what it reports, or set state.root to a folder outside of the repository",
    );
  if (tracked.length === 0) return;
  throw new LoopError(
    "LOOP_E_STATE_BROUGHT",
    `the state root ${stateRoot} holds committed files (${named(tracked)}), so whoever wrote the repository wrote our state`,
    "set state.root to a folder outside of the repository, or take the files out of version control after you looked at them",
  );
}

/** An env file whose variables a `git pull` would change. Throws `LOOP_E_ENV_FILE`. */
export function refuseCommittedEnvFile(file: string): void {
  const real = existsSync(file) ? realpathSync(file) : null;
  if (real === null || repositoryAround(dirname(real)) === null) return;
  const tracked = trackedBelow(dirname(real));
  if (tracked !== null && !tracked.includes(basename(real))) return;
  throw new LoopError(
    "LOOP_E_ENV_FILE",
    tracked === null
      ? `git doesn't say whether env.file ${file} is committed`
      : `env.file ${file} is committed, so whoever writes to the repository sets the variables`,
    "move it out of the repository, such as to ~/.loop/loop.env, and name it there in env.file",
  );
}

/**
 * What lies in a state root already that a first run would not find; a person is told before they
 * trust a configuration.
 */
export function stateAlreadyThere(stateRoot: string): readonly string[] {
  return existsSync(stateRoot)
    ? readdirSync(stateRoot).filter((name) => !isCommitted(name) && !isCommitted(`${name}/`))
    : [];
}

function trackedState(stateRoot: string): readonly string[] | null {
  const real = realpathSync(stateRoot);
  const top = repositoryAround(real);
  if (top === null) return [];
  // Asked from the top, so that a repository within the state root hides nothing.
  const below = relative(top, real);
  if (below === "") return trackedBelow(top)?.filter((path) => !isCommitted(path)) ?? null;
  return (
    trackedBelow(top, below)
      ?.map((path) => path.slice(below.length + 1))
      .filter((path) => !isCommitted(path)) ?? null
  );
}

function isCommitted(path: string): boolean {
  return committed.includes(path) || committedFolders.some((folder) => path.startsWith(folder));
}

function named(paths: readonly string[]): string {
  return `${paths.slice(0, 3).join(", ")}${paths.length > 3 ? ` and ${paths.length - 3} more` : ""}`;
}
