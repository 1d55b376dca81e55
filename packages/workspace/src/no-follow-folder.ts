import { constants, existsSync } from "node:fs";
import { type FileHandle, lstat, mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { ifAbsent } from "./if-absent.ts";
import { WorkspaceError } from "./failure.ts";
import { encodeName, shownName } from "./names.ts";

/**
 * `make` is the mode that missing folders are made with; without it a missing one ends the walk.
 * `byNames` looks at each step and trusts that nobody exchanges it meanwhile, for systems on which
 * no path can begin at an open folder.
 */
type Walk = { readonly make?: number; readonly byNames?: boolean };

/**
 * Works in a folder that is reached from another one step by step, none of them a link: what a
 * session plants on the way can't lead a write or a removal elsewhere. `work` gets a path that is
 * good until it ends. Returns null where a folder is missing; throws `LOOP_E_WORKSPACE_LINK` where
 * something else stands on the way.
 */
export async function inFolder<T>(
  from: string,
  segments: readonly string[],
  work: (folder: string) => Promise<T>,
  walk: Walk = {},
): Promise<T | null> {
  const { byNames = !hasHandles } = walk;
  return (byNames ? walkNames : walkHandles)(from, segments, work, walk);
}

/** Where a path can begin at an open folder: nobody can exchange what was opened. */
const hasHandles = process.platform === "linux" && existsSync("/proc/self/fd");
const asFolder = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const pathOf = (handle: FileHandle): string => `/proc/self/fd/${handle.fd}`;

async function walkHandles<T>(
  from: string,
  segments: readonly string[],
  work: (folder: string) => Promise<T>,
  walk: Walk,
): Promise<T | null> {
  const below = async (
    handle: FileHandle | null,
    shown: string,
    [next, ...rest]: readonly string[],
  ): Promise<T | null> => {
    if (handle === null) return null;
    try {
      if (next === undefined) return await work(pathOf(handle));
      const there = join(shown, next);
      return await below(await openFolder(join(pathOf(handle), next), there, walk), there, rest);
    } finally {
      await handle.close();
    }
  };
  // A folder that is open already is named by a link, which is ours.
  const start = from.startsWith("/proc/self/fd/") ? `${from}/.` : from;
  return below(await openFolder(start, from, {}), from, segments);
}

async function openFolder(path: string, shown: string, walk: Walk): Promise<FileHandle | null> {
  const opened = (): Promise<FileHandle | null> =>
    open(encodeName(path), asFolder).catch((error: unknown) => {
      if (isCode(error, "ELOOP", "ENOTDIR", "EMLINK")) throw noFolder(shown);
      return ifAbsent(null)(error);
    });
  const found = await opened();
  if (found !== null || walk.make === undefined) return found;
  await makeFolder(path, walk.make);
  return opened();
}

async function walkNames<T>(
  from: string,
  segments: readonly string[],
  work: (folder: string) => Promise<T>,
  walk: Walk,
): Promise<T | null> {
  let path = from;
  for (const segment of [null, ...segments]) {
    path = segment === null ? from : join(path, segment);
    let stat = await lstat(encodeName(path)).catch(ifAbsent(null));
    if (stat === null && walk.make !== undefined) {
      await makeFolder(path, walk.make);
      stat = await lstat(encodeName(path));
    }
    if (stat === null) return null;
    if (!stat.isDirectory()) throw noFolder(path);
  }
  return work(path);
}

async function makeFolder(path: string, mode: number): Promise<void> {
  await mkdir(encodeName(path), { mode }).catch((error: unknown) => {
    if (!isCode(error, "EEXIST")) throw error;
  });
}

export const isCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && "code" in error && codes.some((code) => code === error.code);

function noFolder(path: string): WorkspaceError {
  return new WorkspaceError(
    "LOOP_E_WORKSPACE_LINK",
    `${shownName(path)} is no folder, but a link or the like.`,
    "Remove it by hand; nothing was written or removed through it.",
  );
}
