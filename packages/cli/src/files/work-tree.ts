import { existsSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/**
 * The git work tree that a path lies in, or that a link on the way to it lies in: git writes there
 * whatever a branch holds, over ignored files without a word. The one at `except`, a real path,
 * doesn't count. Null where there is none.
 */
export function workTreeOn(path: string, except: string | null = null): string | null {
  for (const step of [join(path, ".git"), ...stepsTo(path)]) {
    const folder = dirname(step);
    if (folder !== except && isThere(join(folder, ".git"))) return folder;
  }
  return null;
}

/** Every file and folder that the system passes on the way to a path, each by its own real place. */
function stepsTo(path: string, seen: Set<string> = new Set()): ReadonlySet<string> {
  if (dirname(path) === path) return seen;
  stepsTo(dirname(path), seen);
  const real = realPlace(path);
  if (seen.has(real)) return seen;
  seen.add(real);
  const target = linkTarget(real);
  return target === null ? seen : stepsTo(resolve(dirname(real), target), seen);
}

/** The path with the links of its folder followed, as far as that is there. */
export function realPlace(path: string): string {
  return dirname(path) === path ? path : join(realPath(dirname(path)), basename(path));
}

/** The same with the path's own link followed; in the case that the file system has on record. */
export function realPath(path: string): string {
  return existsSync(path) ? realpathSync.native(path) : realPlace(path);
}

/** Null for what is no link, isn't there, or may not be looked at. */
function linkTarget(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false; // Also below a file, and where nothing may be looked at: nothing can be used there either.
  }
}
