import { lstatSync } from "node:fs";
import { join } from "node:path";
import { LoopError } from "@loopwork/core/ports";
import { footprint, type ManifestFile, type SeenFile } from "@loopwork/core/config";
import { askGit, silentGitHint } from "../git/ask-git.ts";
import { plainPieces } from "../files/plain-file.ts";
import { repositoryAround } from "./repository-around.ts";
import { sha256Of as sha256Pieces } from "@loopwork/runtime/sha256";

/** Root of the work tree around a folder. Rejects with `LOOP_E_USAGE` where there is none. */
export function repositoryRoot(from: string): string {
  const root = repositoryAround(from);
  if (root === null)
    throw new LoopError(
      "LOOP_E_USAGE",
      `${from} is not in a git repository`,
      "Run it in the repository's checkout",
    );
  return root;
}

/** What lies where the product writes and git does not ignore, and every file that is listed. */
export function seenFiles(root: string, listed: readonly ManifestFile[]): readonly SeenFile[] {
  const ours = filesBelow(root, [".loop", ...footprint.map(({ path }) => path)]);
  const single = listed.flatMap(({ path }) => (isFile(join(root, path)) ? [path] : []));
  const digested = new Set(
    listed.flatMap(({ path, sha256 }) => (sha256 === undefined ? [] : [path])),
  );
  return [...new Set([...ours, ...single])].map((path) => ({
    path,
    sha256: digested.has(path) ? sha256Of(join(root, path)) : null,
  }));
}

/**
 * Digest of a file's bytes, in lower-case hex digits; of nothing where it became a pipe or a link
 * since it was seen.
 */
export function sha256Of(file: string): string {
  return sha256Pieces(plainPieces(file, longestListed));
}

/** Bytes of a listed file that are compared at most. */
const longestListed = 1024 ** 3;

/** What is not there in the work tree any more is left out, though the index may have it. */
function filesBelow(root: string, paths: readonly string[]): readonly string[] {
  const listed = askGit(["ls-files", "-z", "-co", "--exclude-standard", "--", ...paths], root);
  if (listed === null) {
    const why = `Can't list the files of ${root} with git`;
    throw new LoopError("LOOP_E_MANIFEST", why, silentGitHint(root));
  }
  return listed.split("\0").filter((path) => path !== "" && isFile(join(root, path)));
}

export function isFile(path: string): boolean {
  try {
    return lstatSync(path).isFile();
  } catch {
    return false;
  }
}
