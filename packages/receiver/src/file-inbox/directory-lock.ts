import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { LoopError } from "@loopwork/core/ports";

/**
 * Keeps a directory for this process until it is released or the process ends, however it ends: an
 * exclusively opened lock database, which the kernel frees at a kill and a stopped holder still
 * holds. @throws {LoopError} `LOOP_E_INBOX_LOCKED` when another process has it.
 */
export function lockDirectory(directory: string): { release(): void } {
  const path = join(directory, "lock.db");
  try {
    const database = new DatabaseSync(path, { timeout: 0 });
    try {
      database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    } catch (error) {
      database.close();
      throw error;
    }
    return { release: () => database.close() };
  } catch (error) {
    if (!(error instanceof Error) || !/locked|busy/.test(error.message)) throw error;
    throw new LoopError(
      "LOOP_E_INBOX_LOCKED",
      `Another process uses the inbox ${directory}.`,
      "Stop it, or give this one its own folder.",
    );
  }
}
