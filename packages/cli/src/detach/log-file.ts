import { copyFileSync, existsSync, renameSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import type { DaemonKind } from "./pidfile.ts";

/** Sizes in bytes; `files` counts the one that is written to. */
export type Rotation = { readonly maxBytes: number; readonly files: number };

const defaultRotation: Rotation = { maxBytes: 10 * 1024 * 1024, files: 3 };

/** Where the output of a detached daemon goes. */
export function logFileOf(stateRoot: string, kind: DaemonKind): string {
  return join(stateRoot, "logs", `${kind}.log`);
}

/**
 * Starts the log anew once it is full; older ones stay as `.1`, `.2`. It is copied and emptied
 * rather than renamed, so that the open output of the process, crashes included, always lands in
 * the newest file. A rotation that fails leaves all as it is: the next line tries again.
 */
export function rotateLog(file: string, { maxBytes, files }: Rotation = defaultRotation): void {
  try {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) < maxBytes) return;
    for (let age = files - 2; age > 0; age--)
      if (existsSync(`${file}.${age}`)) renameSync(`${file}.${age}`, `${file}.${age + 1}`);
    copyFileSync(file, `${file}.1`);
    truncateSync(file, 0);
  } catch {
    // A full disk must not end a daemon over its log.
  }
}
