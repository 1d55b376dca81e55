import { lstat, readdir, readFile, readlink, rm } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Git } from "./git.ts";
import { isInside } from "./layout.ts";
import { smallText } from "./plain-file.ts";

/**
 * A lock file whose maker cannot be found is stale at this age where processes cannot be listed, in
 * milliseconds.
 */
const abandonedMs = 10 * 60_000;

/**
 * Removes a lock file that a killed git left behind. Git writes no pid into it, so the living are
 * asked: while any git works in one of the folders the lock stays. Returns whether it was removed.
 */
export async function removeStaleLock(
  lock: string,
  folders: readonly string[],
  now: number,
): Promise<boolean> {
  const before = await lstat(lock).catch(() => null);
  if (before === null || !before.isFile()) return false;
  const alive = await gitWorksIn(folders);
  if (alive === null ? now - before.mtimeMs < abandonedMs : alive) return false;
  const after = await lstat(lock).catch(() => null);
  if (after === null || after.ino !== before.ino || after.mtimeMs !== before.mtimeMs) return false;
  await rm(lock);
  return true;
}

/** A clone, one of its checkouts, and who is told of locks that were removed there. */
export type LockPlace = {
  readonly clone: string;
  readonly checkout: string;
  readonly now: () => number;
  readonly note: (text: string) => void;
};

/**
 * How long a git that lives gets to finish, in milliseconds: one that a killed daemon left running,
 * as a rule.
 */
const patienceMs = 30_000;

/**
 * Git that tries again when all that stood in its way was a lock file: at once when its maker is
 * dead, else when it is gone.
 */
export function withoutStaleLocks(git: Git, place: LockPlace): Git {
  const again = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      const lock = lockInComplaint(error);
      if (
        lock === null ||
        !isInside(join(place.clone, ".git"), lock) ||
        !(await becomesFree(lock, place))
      )
        throw error;
      return work();
    }
  };
  return {
    run: (where, args, more) => again(() => git.run(where, args, more)),
    changeRefs: (clone, changes) => again(() => git.changeRefs(clone, changes)),
  };
}

async function becomesFree(lock: string, place: LockPlace): Promise<boolean> {
  const until = performance.now() + patienceMs;
  for (;;) {
    if (await freeFrom(lock, place)) return true;
    if ((await lstat(lock).catch(() => null)) === null) return true;
    if (performance.now() > until) return false;
    await sleep(100);
  }
}

/** Removes the lock when it is stale, and says so. */
export async function freeFrom(
  lock: string,
  { clone, checkout, now, note }: LockPlace,
): Promise<boolean> {
  const removed = await removeStaleLock(
    lock,
    isShared(lock, clone) ? [clone, checkout, ...(await worktreesOf(clone))] : [clone, checkout],
    now(),
  );
  if (removed) note(`removed ${lock}, which a killed git had left`);
  return removed;
}

/**
 * Refs, packs and configuration belong to all work trees of a clone: a git in any of them may hold
 * such a lock. An index or a HEAD belongs to one.
 */
function isShared(lock: string, clone: string): boolean {
  const inGit = relative(join(clone, ".git"), lock);
  return (
    !["index.lock", "HEAD.lock", "ORIG_HEAD.lock"].includes(basename(lock)) &&
    !inGit.startsWith("worktrees/")
  );
}

/** Where the work trees of a clone stand, those that a session made elsewhere among them. */
async function worktreesOf(clone: string): Promise<readonly string[]> {
  const folder = join(clone, ".git", "worktrees");
  const pointers = await Promise.all(
    (await readdir(folder).catch(() => [])).map((name) => smallText(join(folder, name, "gitdir"))),
  );
  return pointers.flatMap((pointer) => (pointer === null ? [] : [dirname(pointer)]));
}

/**
 * Path of the lock file that git's complaint is about; null when it complains of something else.
 */
function lockInComplaint(error: unknown): string | null {
  const source = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const text = source instanceof Error ? source.message : "";
  const end = text.indexOf(": File exists");
  if (end < 0) return null;
  const quoted = text.lastIndexOf("Unable to create '", end);
  if (quoted >= 0) return text.slice(quoted + "Unable to create '".length, end - 1);
  const config = text.lastIndexOf("could not lock config file ", end);
  return config < 0
    ? null
    : `${text.slice(config + "could not lock config file ".length, end)}.lock`;
}

/**
 * Whether a git process of anybody has its working directory in one of the folders; null where that
 * cannot be seen.
 */
async function gitWorksIn(folders: readonly string[]): Promise<boolean | null> {
  const names = await readdir("/proc").catch(() => null);
  if (names === null) return null;
  for (const name of names) {
    if (!isDigits(name)) continue;
    const program = await readFile(join("/proc", name, "comm"), "utf8").catch(() => "");
    if (!program.startsWith("git")) continue;
    const directory = await readlink(join("/proc", name, "cwd")).catch(() => "");
    if (folders.some((folder) => isInside(folder, directory))) return true;
  }
  return false;
}

const isDigits = (name: string): boolean => name.length < 12 && /^[0-9]+$/.test(name);
