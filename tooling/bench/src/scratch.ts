import { mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** On the file system of the repository: a temporary folder may lie in memory, where a flush costs nothing. */
const scratch = fileURLToPath(new URL("../../../.cache/bench/", import.meta.url));

/** Makes an empty folder, which its maker removes. */
export function makeScratch(prefix: string): string {
  mkdirSync(scratch, { recursive: true });
  return mkdtempSync(join(scratch, prefix));
}
