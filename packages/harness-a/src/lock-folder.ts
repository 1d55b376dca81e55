import { mkdir, rmdir, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * A holder touches its folder every few seconds; one that is older belongs to a process that died.
 */
const staleMs = 10_000;
const pauseMs = 40;

/**
 * Runs the work while holding the folder `<file>.lock`, which the harness itself makes around its
 * own edits of the file. Best effort: after `waitMs` milliseconds, or where the folder cannot be
 * made, the work runs without it, and only the comparison before the renaming guards it.
 */
export async function withLockFolder<T>(
  file: string,
  work: () => Promise<T>,
  waitMs = 1500,
): Promise<T> {
  const folder = `${file}.lock`;
  const held = await take(folder, waitMs);
  try {
    return await work();
  } finally {
    if (held) await rmdir(folder).catch(() => undefined);
  }
}

async function take(folder: string, waitMs: number): Promise<boolean> {
  for (let waited = 0; waited <= waitMs; waited += pauseMs) {
    const outcome = await make(folder);
    if (outcome !== "busy") return outcome === "made";
    if (await isStale(folder)) await rmdir(folder).catch(() => undefined);
    else await sleep(pauseMs);
  }
  return false;
}

async function make(folder: string): Promise<"made" | "busy" | "impossible"> {
  try {
    await mkdir(folder);
    return "made";
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EEXIST"
      ? "busy"
      : "impossible";
  }
}

async function isStale(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => null);
  return found !== null && Date.now() - found.mtimeMs > staleMs;
}
