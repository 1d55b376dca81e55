import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** Root of the work tree around a folder, without asking git; null where there is none. */
export function repositoryAround(from: string): string | null {
  for (let dir = from; ; dir = dirname(dir)) {
    if (existsSync(join(dir, ".git"))) return dir;
    if (dirname(dir) === dir) return null;
  }
}
