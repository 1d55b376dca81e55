import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { LoopError } from "@loopwork/core/ports";

/**
 * Puts the text into a file that its owner alone may read, in the place of what stood there: whole
 * or not at all. Throws `LOOP_E_RECORDS_UNWRITABLE`.
 */
export function writeRecords(file: string, text: string): void {
  const fresh = `${file}.${crypto.randomUUID()}`;
  try {
    const draft = openSync(fresh, "wx", 0o600);
    try {
      writeFileSync(draft, text);
      fsyncSync(draft);
    } finally {
      closeSync(draft);
    }
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw new LoopError(
      "LOOP_E_RECORDS_UNWRITABLE",
      `Can't write ${file}: ${error instanceof Error ? error.message : String(error)}`,
      "Name a file in a directory you can write to",
    );
  }
}
