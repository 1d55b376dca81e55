import { readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";

/** The directory as the harness will see its own working directory: links resolved, no slash at the end (T04). */
export async function realDirectory(directory: string): Promise<string> {
  return (await realpath(directory)).normalize("NFC");
}

/**
 * Root of the repository that owns the work tree around a directory, null outside of one. For a worktree that is the
 * root of the main work tree. Read from git's files without running git, which a hostile checkout could abuse.
 */
export async function gitCommonRoot(directory: string): Promise<string | null> {
  for (let at = directory; ; at = path.dirname(at)) {
    const root = await rootAt(at);
    if (root !== null) return root;
    if (path.dirname(at) === at) return null;
  }
}

async function rootAt(directory: string): Promise<string | null> {
  const entry = path.join(directory, ".git");
  const found = await stat(entry).catch(() => null);
  if (found === null) return null;
  if (found.isDirectory()) return directory;
  const gitDir = pointerOf(await readFile(entry, "utf8").catch(() => ""), "gitdir: ");
  if (gitDir === null) return null;
  const absolute = path.resolve(directory, gitDir);
  const common = pointerOf(await readFile(path.join(absolute, "commondir"), "utf8").catch(() => ""), "");
  if (common === null) return directory;
  return path.basename(path.resolve(absolute, common)) === ".git" ? realDirectory(path.dirname(path.resolve(absolute, common))).catch(() => null) : directory;
}

/** The path in a one-line pointer file of git. */
function pointerOf(text: string, prefix: string): string | null {
  const line = text.split("\n", 1)[0]?.trimEnd() ?? "";
  return line.startsWith(prefix) && line.length > prefix.length ? line.slice(prefix.length) : null;
}
