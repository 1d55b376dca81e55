import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { LoopError } from "@loopwork/core/ports";
import { shellQuoted } from "../output/shell-quoted.ts";
import {
  refuseStateInWorkTree,
  refuseStateLeftBehind,
  type StatePaths,
} from "./state-in-work-tree.ts";
import { freeStatePlace, treeAround } from "./state-place.ts";
import { whyUnsafeFolder, whyUnsafeToMake } from "../file-ownership/safe-file.ts";

/**
 * Makes the state root when it is not there, readable by its owner only, where git can't write. It
 * ignores itself, so that a home folder under version control never shows it. A root that cannot be
 * written is an error with what to do.
 */
export function ensureStateRoot(paths: StatePaths): void {
  const { stateRoot } = paths;
  refuseStateInWorkTree(paths);
  refuseStateLeftBehind(paths);
  try {
    refuseUnsafePlace(stateRoot);
    makeFolder(stateRoot);
    if (!statSync(stateRoot).isDirectory()) throw new Error("it is no folder");
    accessSync(stateRoot, constants.R_OK | constants.W_OK | constants.X_OK);
    refuseUnsafeRoot(stateRoot);
    writeIgnoreList(join(stateRoot, ".gitignore"));
  } catch (error) {
    if (error instanceof LoopError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new LoopError(
      "LOOP_E_STATE_ROOT",
      `the state root ${stateRoot} cannot be used: ${why}`,
      "set state.root to a folder of your own on a local disk, and make it writable",
    );
  }
}

/** What is made in somebody else's folder would stay there, and belong to this user. */
function refuseUnsafePlace(stateRoot: string): void {
  const isThere = lstatSync(stateRoot, { throwIfNoEntry: false }) !== undefined;
  const unsafe = isThere ? null : whyUnsafeToMake(stateRoot);
  if (unsafe === null) return;
  const why = `the state root ${stateRoot} isn't made: ${unsafe.why}`;
  throw new LoopError("LOOP_E_STATE_ROOT", why, unsafe.hint);
}

/**
 * Whoever can write the state root, or lead it elsewhere, chooses which programs run and which
 * processes are ended.
 */
function refuseUnsafeRoot(stateRoot: string): void {
  if (lstatSync(stateRoot).isSymbolicLink()) {
    const real = realpathSync(stateRoot);
    // A repository of the home folder may hold `~/.loop`, and not what `~/.loop` leads to.
    const place = treeAround(real) === null ? real : freeStatePlace(stateRoot);
    throw new LoopError(
      "LOOP_E_STATE_ROOT",
      `the state root ${stateRoot} is a link`,
      `set state.root to ${place ?? "a folder outside of every repository"}`,
    );
  }
  const unsafe = whyUnsafeFolder(stateRoot);
  if (unsafe !== null)
    throw new LoopError(
      "LOOP_E_STATE_ROOT",
      `the state root ${stateRoot} isn't used: ${unsafe.why}`,
      unsafe.hint,
    );
  const uid = process.getuid?.();
  for (const name of uid === undefined ? [] : readdirSync(stateRoot)) {
    const entry = join(stateRoot, name);
    const owner = lstatSync(entry, { throwIfNoEntry: false })?.uid ?? uid;
    if (owner === uid || name === "lost+found") continue;
    throw new LoopError(
      "LOOP_E_STATE_ROOT",
      `${entry} belongs to another user (uid ${owner}): a command ran here as that user`,
      `run: sudo chown -R ${uid} ${shellQuoted(entry)}`,
    );
  }
}

/** Only a new file: a link in its place would lead anywhere. */
function writeIgnoreList(file: string): void {
  try {
    writeFileSync(file, "*\n", { flag: "wx" });
  } catch (error) {
    if (lstatSync(file, { throwIfNoEntry: false }) === undefined) throw error;
  }
}

/**
 * One folder after the other: Node's own recursion never ends where a file system refuses a folder
 * as if its parent were missing.
 */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(path)) throw error; // Somebody else made it meanwhile.
  }
}
