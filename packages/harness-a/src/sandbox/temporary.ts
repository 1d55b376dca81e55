import { lstat, mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { LoopError } from "@loopwork/core/ports";

/**
 * The harness's sockets stand in its temporary folder, and a path of a socket is short: with 80
 * characters every command fails (seen with 2.1.332).
 */
const longest = 70;

/**
 * Where the folder of an attempt stands: below the service's own temporary folder where that is
 * short enough, else below `/tmp`.
 */
export function temporaryFolder(receipt: string, uid: number, tmp: string | undefined): string {
  const below = (base: string): string => path.join(base, ownName(receipt, uid));
  const wanted = tmp !== undefined && path.isAbsolute(tmp) ? below(path.normalize(tmp)) : null;
  return wanted !== null && wanted.length <= longest ? wanted : below("/tmp");
}

/**
 * Whether a path can be the folder of an attempt, wherever the service's own temporary folder was
 * when it began.
 */
export function isTemporaryOf(folder: string, receipt: string, uid: number): boolean {
  return (
    path.isAbsolute(folder) &&
    path.normalize(folder) === folder &&
    folder.endsWith(`/${ownName(receipt, uid)}`)
  );
}

const ownName = (receipt: string, uid: number): string =>
  path.join(`loop-${uid}`, receipt.replaceAll("-", "").slice(0, 12));

/**
 * Makes the folder anew, for its owner alone. Rejects with `LOOP_E_SANDBOX` where somebody else
 * could reach into it.
 */
export async function makeTemporary(folder: string, uid: number): Promise<void> {
  const parent = path.dirname(folder);
  await mkdir(parent, { mode: 0o700 }).catch(() => undefined);
  await refuseForeign(parent, uid);
  await rm(folder, { recursive: true, force: true }); // Of an attempt under the same receipt, which is over.
  await mkdir(folder, { mode: 0o700 });
}

async function refuseForeign(folder: string, uid: number): Promise<void> {
  const stat = await lstat(folder).catch(() => null);
  const why =
    stat === null
      ? "it can't be made"
      : !stat.isDirectory()
        ? "it isn't a folder"
        : stat.uid !== uid
          ? "it belongs to another user"
          : (stat.mode & 0o077) !== 0
            ? "others can read it"
            : null;
  if (why !== null)
    throw new LoopError(
      "LOOP_E_SANDBOX",
      `The sandbox can't use ${folder}: ${why}.`,
      `Remove ${folder}, or set TMPDIR to another folder for the service.`,
    );
}
