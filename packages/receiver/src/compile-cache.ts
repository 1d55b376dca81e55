import { lstatSync, mkdirSync } from "node:fs";
import module from "node:module";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/**
 * Lets Node keep what it compiles of this program, in `loop` in the user's cache folder. Whoever can
 * write there runs code in this program, so nothing is kept where that isn't the user's alone. Node
 * itself follows `NODE_COMPILE_CACHE`, and nothing else counts from source.
 */
export function useCompileCache(): void {
  const { NODE_COMPILE_CACHE: chosen, XDG_CACHE_HOME: caches = "" } = process.env;
  if (chosen || import.meta.url.endsWith(".ts")) return;
  const folder = join(isAbsolute(caches) ? caches : join(homedir(), ".cache"), "loop");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const stat = lstatSync(folder);
    const isOwn = stat.isDirectory() && stat.uid === process.getuid?.();
    if (isOwn && (stat.mode & 0o022) === 0) module.enableCompileCache(folder);
  } catch {
    // It starts without.
  }
}
