import { lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { LoopError } from "@loopwork/core/ports";
import { sha256 } from "@loopwork/runtime/sha256";

/** Bytes of a socket's path that every system takes; the kernel's own bound is 104 or 108. */
const longestSocket = 100;

export type TerminalPlace = {
  /** Absolute folder with one folder a conversation. */
  readonly folder: string;
  readonly socket: string;
};

/**
 * Where the terminals of a state root live. The socket lies there too, unless its path would be too
 * long: then in a short folder of the temporary directory, named after the user and the state root,
 * which must be ours alone.
 */
export function placeOf(stateRoot: string): TerminalPlace {
  return placeOfFolder(join(stateRoot, "terminals"));
}

/**
 * The same by the folder of the terminals. The temporary directory is the system's: `TMPDIR` may be
 * another one for each process.
 */
export function placeOfFolder(
  folder: string,
  temporary: string = "/tmp",
  user: number = process.getuid?.() ?? 0,
): TerminalPlace {
  const socket = join(folder, "tmux");
  if (Buffer.byteLength(socket) <= longestSocket) return { folder, socket };
  const hash = sha256(folder).slice(0, 12);
  return { folder, socket: join(temporary, `loop-${user}-${hash}`, "tmux") };
}

/**
 * Makes the folder for its owner alone; refuses what is there already and somebody else made or may
 * look into.
 */
export function ensureOwnFolder(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined)
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  const others = process.getuid !== undefined && found.uid !== process.getuid();
  if (found.isDirectory() && !others && (found.mode & 0o077) === 0) return;
  throw new LoopError(
    "LOOP_E_TERMINAL",
    `the folder of the terminals ${folder} is open to others`,
    "remove it, or make it yours alone: chmod 700",
  );
}
