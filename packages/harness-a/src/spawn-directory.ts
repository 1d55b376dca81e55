import { constants } from "node:fs";
import { open, realpath, stat } from "node:fs/promises";
import path from "node:path";

/**
 * The directory as the harness will see its own working directory: links resolved, no slash at the
 * end.
 */
export async function realDirectory(directory: string): Promise<string> {
  return (await realpath(directory)).normalize("NFC");
}

/**
 * Root of the repository that owns the work tree around a directory, null outside of one. For a
 * worktree that is the root of the main work tree. Read from git's files without running git, which
 * a hostile checkout could abuse.
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
  const gitDir = pointerOf(await smallText(entry), "gitdir: ");
  if (gitDir === null) return null;
  const absolute = path.resolve(directory, gitDir);
  const common = pointerOf(await smallText(path.join(absolute, "commondir")), "");
  if (common === null) return directory;
  return path.basename(path.resolve(absolute, common)) === ".git"
    ? realDirectory(path.dirname(path.resolve(absolute, common))).catch(() => null)
    : directory;
}

/** Text of a small plain file, else none: a pipe that a session put there would be waited for. */
async function smallText(file: string): Promise<string> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => null);
  if (handle === null) return "";
  try {
    const found = await handle.stat();
    return found.isFile() && found.size <= longestPointer ? await handle.readFile("utf8") : "";
  } catch {
    return "";
  } finally {
    await handle.close();
  }
}

/** Bytes of the longest file that names a path. */
const longestPointer = 5_000;

/** The path in a one-line pointer file of git. */
function pointerOf(text: string, prefix: string): string | null {
  const line = text.split("\n", 1)[0]?.trimEnd() ?? "";
  return line.startsWith(prefix) && line.length > prefix.length ? line.slice(prefix.length) : null;
}
