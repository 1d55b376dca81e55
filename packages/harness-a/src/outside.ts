import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";

/**
 * Gives work an empty folder of its own in which no program finds a repository or a package around
 * it, whose settings it would take for the user's. It goes with the work.
 */
export async function outsideOfRepositories<T>(
  tmp: string | undefined,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const bases = [tmp ?? "/tmp", "/tmp", "/var/tmp"].filter(
    (base) => path.isAbsolute(base) && existsSync(base),
  );
  const base = bases.find((each) => !hasProjectAround(each)) ?? "/tmp";
  const folder = await mkdtemp(path.join(base, "loop-probe-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function hasProjectAround(folder: string): boolean {
  const parent = path.dirname(folder);
  return (
    [".git", "package.json", ".npmrc", "node_modules"].some((name) =>
      existsSync(path.join(folder, name)),
    ) ||
    (parent !== folder && hasProjectAround(parent))
  );
}
