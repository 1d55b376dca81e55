import { constants } from "node:fs";
import { lstat, mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { LoopError } from "@loopwork/core/ports";

/** Bytes of the longest file that is read: a repository may bring one of any size along. */
const longestText = 4 * 1024 * 1024;

/** The text of a file under a repository's root; null where there is none. */
export async function readText(root: string, path: string): Promise<string | null> {
  await refuseLinks(root, path);
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(join(root, path), flags).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (handle === null) return null;
  try {
    // A pipe would be waited for, and a device may never end.
    const found = await handle.stat();
    if (!found.isFile()) throw notPlain(path, "isn't a plain file");
    if (found.size > longestText) throw notPlain(path, `has more than ${longestText} bytes`);
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
}

/** Names in a folder under a repository's root, sorted; none where it is not there. */
export async function namesIn(root: string, path: string): Promise<readonly string[]> {
  await refuseLinks(root, path);
  const names = await readdir(join(root, path)).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  return names.toSorted((one, other) => (one < other ? -1 : 1));
}

/** Puts a file in place as a whole, or takes it away. */
export async function putText(root: string, path: string, text: string | null): Promise<void> {
  await refuseLinks(root, path);
  const file = join(root, path);
  if (text === null) return rm(file, { force: true });
  await mkdir(dirname(file), { recursive: true });
  await putWhole(file, text);
}

/**
 * A file appears whole, by rename. Where it is first written nothing may stand: what a session put
 * there is neither written through nor waited for. Writers at the same time need a `mark` each.
 */
export async function putWhole(file: string, text: string, mark = "loop-tmp"): Promise<void> {
  const next = `${file}.${mark}`;
  const left = await lstat(next).catch(() => null);
  if (left?.isFile() === true || left?.isSymbolicLink() === true) await rm(next, { force: true });
  await writeFile(next, text, { flag: "wx" });
  await rename(next, file);
}

/** A repository may hold links that lead elsewhere; nothing is read or written through one. */
async function refuseLinks(root: string, path: string): Promise<void> {
  const parts = path.split("/");
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const part = parts.slice(0, depth).join("/");
    const found = await lstat(join(root, part)).catch(() => null);
    if (found?.isSymbolicLink() === true) throw notPlain(part, "is a symbolic link");
  }
}

function notPlain(path: string, what: string): LoopError {
  const hint = "learnings are kept in plain files and folders; put one there instead";
  return new LoopError("LOOP_E_LEARNINGS_FILE", `${path} ${what}`, hint);
}

function isMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    (error.code === "ENOENT" || error.code === "ENOTDIR")
  );
}
