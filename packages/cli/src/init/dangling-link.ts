import { existsSync, readlinkSync } from "node:fs";
import { LoopError } from "@loopwork/core/ports";
import { shellQuoted } from "../output/shell-quoted.ts";

/**
 * Whether a file is there. Throws with that code for a link that leads to none: writing would make
 * a file elsewhere, or fail halfway.
 */
export function isThereToReplace(
  file: string,
  code: "LOOP_E_CONFIG_UNWRITABLE" | "LOOP_E_ENV_FILE",
): boolean {
  if (existsSync(file)) return true;
  if (!isLink(file)) return false;
  throw new LoopError(
    code,
    `${file} is a link to a file that doesn't exist`,
    `Run: rm ${shellQuoted(file)}`,
  );
}

function isLink(path: string): boolean {
  try {
    readlinkSync(path);
    return true;
  } catch {
    return false;
  }
}
