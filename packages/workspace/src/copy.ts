import { constants } from "node:fs";
import { copyFile, lstat, mkdir, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { CopyResult } from "@loopwork/core/ports";
import type { Look } from "./look.ts";
import { isProtected } from "./protected-paths.ts";

/** More is no copy that somebody waits for. */
const most = { files: 100_000, bytes: 1024 ** 3 } as const;

/**
 * What stands in a checkout, as the port says; `keep` is a folder below it whose files are copied
 * whatever its own path is named.
 */
export async function copyPlain(
  look: Look,
  workdir: string,
  into: string,
  keep: string | null,
): Promise<CopyResult> {
  try {
    const names = await listed(look, workdir, keep);
    if (names.length > most.files) return failed(`it has more than ${most.files} files`);
    const isPlain = plainFolders(await realpath(workdir));
    let bytes = 0;
    for (const name of names) {
      const found = await lstat(join(workdir, name)).catch(() => null);
      if (found?.isFile() !== true || !(await isPlain(dirname(name)))) continue;
      bytes += found.size;
      if (bytes > most.bytes) return failed(`it has more than ${most.bytes} bytes`);
      await mkdir(dirname(join(into, name)), { recursive: true });
      await copyFile(join(workdir, name), join(into, name), constants.COPYFILE_FICLONE);
    }
    return { kind: "copied" };
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

function failed(why: string): CopyResult {
  return { kind: "failed", why };
}

/** What git knows or would take up, without what gives orders and names that are no UTF-8. */
async function listed(
  look: Look,
  workdir: string,
  keep: string | null,
): Promise<readonly string[]> {
  const names = await look.filesIn(workdir);
  if (names === null) throw new Error(`${workdir} is in no git work tree`);
  const isKept = (name: string): boolean =>
    keep !== null && name.startsWith(`${keep}/`) && !isProtected(name.slice(keep.length + 1));
  return [...new Set(names)].filter(
    (name) => name.isWellFormed() && (isKept(name) || !isProtected(name)),
  );
}

/** Whether no link lies on the way to a folder below the root. */
function plainFolders(root: string): (folder: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  return (folder) => {
    const answer =
      known.get(folder) ??
      realpath(join(root, folder)).then(
        (real) => real === join(root, folder),
        () => false,
      );
    known.set(folder, answer);
    return answer;
  };
}
