import { mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * On the file system of the repository: a temporary folder may lie in memory, where a flush costs
 * nothing.
 */
const scratch = fileURLToPath(new URL("../../../.cache/bench/", import.meta.url));

/** The folder itself, made when it is not there. */
export function scratchFolder(): string {
  mkdirSync(scratch, { recursive: true });
  return scratch;
}

/** Makes an empty folder, which its maker removes. */
export function makeScratch(prefix: string): string {
  return mkdtempSync(join(scratchFolder(), prefix));
}
