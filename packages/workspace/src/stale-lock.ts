import { lstat, readdir, readFile, readlink, rm } from "node:fs/promises";
import { join } from "node:path";
import { isInside } from "./layout.ts";

/** A lock file whose maker cannot be found is stale at this age where processes cannot be listed, in milliseconds. */
const abandonedMs = 10 * 60_000;

/**
 * Removes a lock file that a killed git left behind (W13). Git writes no pid into it, so the living are asked: while any
 * git works in one of the folders the lock stays. Returns whether it was removed.
 */
export async function removeStaleLock(lock: string, folders: readonly string[], now: number): Promise<boolean> {
  const before = await lstat(lock).catch(() => null);
  if (before === null || !before.isFile()) return false;
  const alive = await gitWorksIn(folders);
  if (alive === null ? now - before.mtimeMs < abandonedMs : alive) return false;
  const after = await lstat(lock).catch(() => null);
  if (after === null || after.ino !== before.ino || after.mtimeMs !== before.mtimeMs) return false;
  await rm(lock);
  return true;
}

/** Path of the lock file that git's complaint is about; null when it complains of something else. */
export function lockInComplaint(error: unknown): string | null {
  const text = error instanceof Error ? error.message : "";
  const start = text.indexOf("Unable to create '");
  const end = text.indexOf("': File exists");
  return start < 0 || end < start ? null : text.slice(start + "Unable to create '".length, end);
}

/** Whether a git process of anybody has its working directory in one of the folders; null where that cannot be seen. */
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
