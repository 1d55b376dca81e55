import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { LoopError } from "@loopwork/core/errors";

/** The text of a file under a repository's root; null where there is none. */
export async function readText(root: string, path: string): Promise<string | null> {
  await refuseLinks(root, path);
  return readFile(join(root, path), "utf8").catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
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

/** A file appears whole, by rename. */
export async function putWhole(file: string, text: string): Promise<void> {
  await writeFile(`${file}.loop-tmp`, text);
  await rename(`${file}.loop-tmp`, file);
}

/** A repository may hold links that lead elsewhere; nothing is read or written through one. */
async function refuseLinks(root: string, path: string): Promise<void> {
  const parts = path.split("/");
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const part = parts.slice(0, depth).join("/");
    const found = await lstat(join(root, part)).catch(() => null);
    if (found?.isSymbolicLink() === true) throw new LoopError("LOOP_E_LEARNINGS_FILE", `${part} is a symbolic link`, "learnings are kept in plain files and folders; put one there instead of the link");
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
