import { existsSync, readdirSync, readlinkSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { Paths } from "@loopwork/core/config";
import { LoopError } from "@loopwork/core/errors";
import { repositoryAround } from "../manifest/repository-around.ts";
import { silentGitHint, trackedBelow } from "../runtime/ask-git.ts";

/** What people commit in a `.loop` that is the state root as well. */
const committed = ["cli-config.yaml", "manifest.yaml", "harness-config.yaml", ".gitignore"];
const committedFolders = ["learnings-pending/"];

/** Where loop keeps its state: in the state root, or where the configuration says. */
export type StatePaths = Pick<Paths, "stateRoot" | "storeUrl" | "pidfile" | "tokenFile">;

/**
 * Files of the state that a repository brought along: a store, programs or tokens that its author
 * wrote would be taken for our own, and links that they made would lead it anywhere. Throws
 * `LOOP_E_STATE_BROUGHT`.
 */
export function refuseBroughtState(paths: StatePaths): void {
  const { stateRoot } = paths;
  refuseCommittedPlaces(paths);
  if (isHomeState(stateRoot)) return;
  const tracked = existsSync(stateRoot) ? trackedState(stateRoot) : [];
  if (tracked === null)
    throw new LoopError(
      "LOOP_E_STATE_BROUGHT",
      `git doesn't say which files of ${stateRoot} are committed`,
      "set state.root to a folder outside of the repository, or " +
        silentGitHint(repositoryAround(stateRoot) ?? stateRoot),
    );
  if (tracked.length === 0) return;
  throw new LoopError(
    "LOOP_E_STATE_BROUGHT",
    `the state root ${stateRoot} holds committed files (${named(tracked)}), so whoever wrote the repository wrote our state`,
    "set state.root to a folder outside of the repository, or take the files out of version control after you looked at them",
  );
}

/**
 * The files of the state where they aren't in the state root, and links on the way to any of it.
 */
function refuseCommittedPlaces(paths: StatePaths): void {
  const files = filesElsewhere(paths).map(realPlace);
  const links = [paths.stateRoot, ...filesElsewhere(paths)].flatMap((path) =>
    isHomeState(path) ? [] : [...linksOn(path)],
  );
  const brought = [...new Set([...links, ...files])].filter(isTracked);
  if (brought.length === 0) return;
  throw new LoopError(
    "LOOP_E_STATE_BROUGHT",
    `the configuration keeps state in committed files or behind committed links (${named(brought)}), so whoever wrote the repository wrote our state`,
    "set state.root, store.url, service.tokenFile and webhooks.hostWebhook.pidfile to paths outside of the repository, or take the files out of version control after you looked at them",
  );
}

export function filesElsewhere({
  stateRoot,
  storeUrl,
  pidfile,
  tokenFile,
}: StatePaths): readonly string[] {
  const store = storeUrl.slice("sqlite:".length);
  const files = [store, `${store}-wal`, `${store}-shm`, `${store}-journal`, pidfile, tokenFile];
  return files.filter((file) => !file.startsWith(`${stateRoot}/`) && !isHomeState(file));
}

/** A repository of the home folder itself is the user's own. */
function isHomeState(path: string): boolean {
  return `${path}/`.startsWith(join(homedir(), ".loop/"));
}

/** Every link that the system follows on the way to a path, by its own real place. */
function linksOn(path: string, seen: Set<string> = new Set()): ReadonlySet<string> {
  if (dirname(path) === path) return seen;
  linksOn(dirname(path), seen);
  const real = realPlace(path);
  const target = seen.has(real) ? null : linkTarget(real);
  if (target === null) return seen;
  seen.add(real);
  return linksOn(resolve(dirname(real), target), seen);
}

function realPlace(path: string): string {
  const folder = dirname(path);
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : path;
}

/** Null for what is no link, isn't there, or may not be looked at. */
function linkTarget(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

/** Also where git doesn't say. */
function isTracked(place: string): boolean {
  const top = repositoryAround(dirname(place));
  if (top === null || top === homedir()) return false;
  return trackedBelow(top, relative(top, place))?.length !== 0;
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
export function stateAlreadyThere(paths: StatePaths): StateThere {
  const { stateRoot } = paths;
  return {
    inRoot: existsSync(stateRoot)
      ? readdirSync(stateRoot).filter((name) => !isCommitted(name) && !isCommitted(`${name}/`))
      : [],
    elsewhere: filesElsewhere(paths).filter((file) => existsSync(file)),
  };
}

type StateThere = { readonly inRoot: readonly string[]; readonly elsewhere: readonly string[] };

function trackedState(stateRoot: string): readonly string[] | null {
  const real = realpathSync(stateRoot);
  const top = repositoryAround(real);
  if (top === null) return [];
  // Asked from the top, so that a repository within the state root hides nothing.
  const below = relative(top, real);
  const tracked = below === "" ? trackedBelow(top) : trackedBelow(top, below);
  return (
    tracked
      ?.map((path) => (below === "" ? path : path.slice(below.length + 1)))
      .filter((path) => !isCommitted(path) || isMisleading(real, path)) ?? null
  );
}

/**
 * What is written or read there would be elsewhere. A configuration is bound to where its link
 * leads.
 */
function isMisleading(stateRoot: string, path: string): boolean {
  return path !== "cli-config.yaml" && linkTarget(join(stateRoot, path)) !== null;
}

function isCommitted(path: string): boolean {
  return committed.includes(path) || committedFolders.some((folder) => path.startsWith(folder));
}

function named(paths: readonly string[]): string {
  return `${paths.slice(0, 3).join(", ")}${paths.length > 3 ? ` and ${paths.length - 3} more` : ""}`;
}
