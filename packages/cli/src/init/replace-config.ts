import {
  closeSync,
  constants,
  copyFileSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { LoopError } from "@loopwork/core/ports";

/**
 * Puts `text` in the place of a configuration that still says `before`: whole or not at all, with
 * its mode, and through a link to where it leads. Returns the copy of what stood there. Rejects
 * with `LOOP_E_CONFIG_CHANGED`, or `LOOP_E_CONFIG_UNWRITABLE`; nothing is lost then.
 */
export function replaceConfig(file: string, before: string, text: string, now: number): string {
  const target = realpathSync(file);
  if (readFileSync(target, "utf8") !== before)
    throw new LoopError(
      "LOOP_E_CONFIG_CHANGED",
      `${file} changed in the meantime`,
      "Run the command again",
    );
  const [copy, fresh] = [
    `${target}.${new Date(now).toISOString().replace(/[:.]/g, "-")}`,
    `${target}.${crypto.randomUUID()}`,
  ];
  try {
    copyFileSync(target, copy, constants.COPYFILE_EXCL);
    const draft = openSync(fresh, "wx", 0o600);
    try {
      writeFileSync(draft, text);
      fchmodSync(draft, statSync(target).mode & 0o777);
      fsyncSync(draft);
    } finally {
      closeSync(draft);
    }
    renameSync(fresh, target);
    return copy;
  } catch (error) {
    rmSync(fresh, { force: true });
    throw new LoopError(
      "LOOP_E_CONFIG_UNWRITABLE",
      `Can't replace ${file}: ${error instanceof Error ? error.message : String(error)}`,
      "Check the permissions of its directory",
    );
  }
}
