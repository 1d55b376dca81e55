import { accessSync, constants, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LoopError } from "@loopwork/core/errors";

/**
 * Makes the state root when it is not there, readable by its owner only. It ignores itself, so that a work tree around
 * it never shows it (decisions.md 2). A root that cannot be written is an error with what to do (C02).
 */
export function ensureStateRoot(stateRoot: string): void {
  try {
    mkdirSync(stateRoot, { recursive: true, mode: 0o700 });
    accessSync(stateRoot, constants.R_OK | constants.W_OK | constants.X_OK);
    const ignore = join(stateRoot, ".gitignore");
    if (!existsSync(ignore)) writeFileSync(ignore, "*\n");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new LoopError("LOOP_E_STATE_ROOT", `the state root ${stateRoot} cannot be used: ${why}`, "set state.root to a folder of your own on a local disk, and make it writable");
  }
}
