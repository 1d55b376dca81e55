import { lstatSync, mkdirSync } from "node:fs";
import module from "node:module"; // Whole: an older Node doesn't know the name that is used of it.
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

/** Lets Node keep what it compiles of this program; without a folder for that it starts slower. */
export function useCompileCache(): void {
  const folder = compileCacheFolder();
  if (folder !== null) module.enableCompileCache(folder);
}

/**
 * The folder of compiled code, made where it is missing: `NODE_COMPILE_CACHE`, or `loop` in the
 * user's cache folder. Null where that isn't the user's alone. Node compares only the length of a
 * source with what was compiled, so whoever can write there runs code in this program, and Node's
 * own choice is in `/tmp`. Run from source, only the variable counts.
 */
export function compileCacheFolder(
  env: Readonly<Record<string, string | undefined>> = process.env,
  home: string = homedir(),
  isSource: boolean = import.meta.url.endsWith(".ts"),
): string | null {
  if (env["NODE_COMPILE_CACHE"]) return resolve(env["NODE_COMPILE_CACHE"]);
  const caches = env["XDG_CACHE_HOME"] ?? "";
  const folder = join(isAbsolute(caches) ? caches : join(home, ".cache"), "loop");
  if (isSource || !isAbsolute(folder)) return null;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return isOwn(folder) ? folder : null;
  } catch {
    return null;
  }
}

function isOwn(folder: string): boolean {
  const stat = lstatSync(folder);
  return stat.isDirectory() && stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0;
}
