import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";
import type { PathOrigin, Paths } from "@loopwork/core/config";
import { sha256 } from "@loopwork/runtime/sha256";
import { realPath, workTreeOn } from "../files/work-tree.ts";

/**
 * Where a configuration's relative paths begin, and where its state lies unless it says otherwise:
 * in `.loop` beside it, but never where git can write (ADR 0022). Hooks ask for it: nothing that
 * reads YAML may be loaded here.
 */
export function originOf(file: string | null, home: string): PathOrigin {
  if (file === null) return { configDir: null, home, defaultStateRoot: null };
  const configDir = dirname(file);
  const base = basename(configDir) === ".loop" ? dirname(configDir) : configDir;
  return { configDir, home, defaultStateRoot: defaultStateRoot(base, home) };
}

/** Null where `.loop` beside the configuration does. */
function defaultStateRoot(base: string, home: string): string | null {
  const beside = join(base, ".loop");
  if (!isAbsolute(home) || isHomeState(beside, home)) return null;
  const outside = placeOutside(base, home);
  // Where it is, it stays, also when somebody removes the repository around the configuration.
  return existsSync(outside) || workTreeOn(beside) !== null ? outside : null;
}

/** The place of state that may not lie in a folder, by the folder's real path. */
export function placeOutside(folder: string, home: string): string {
  return join(home, ".loop", "state", nameOf(folder));
}

/** Whether a state root is the one outside of a folder, in whosever home. */
export function isOutsideOf(folder: string, stateRoot: string): boolean {
  return stateRoot.endsWith(`/.loop/state/${nameOf(folder)}`);
}

/** The place with the reason where it isn't the folder that people would look in. */
export function shownStateRoot({ base, stateRoot }: Pick<Paths, "base" | "stateRoot">): string {
  const tree = isOutsideOf(base, stateRoot) ? workTreeOn(join(base, ".loop")) : null;
  return tree === null ? stateRoot : `${stateRoot}, outside of the git work tree ${tree}`;
}

/** Says to people whose it is, and is another one for each folder. */
function nameOf(folder: string): string {
  const real = realPath(folder);
  const name = basename(real).replaceAll(/[^A-Za-z0-9._-]/g, "-");
  return `${name.slice(0, 40)}-${sha256(real).slice(0, 12)}`;
}

/**
 * The work tree that makes a path no place for state. A repository of the home folder itself is the
 * user's own and may hold `~/.loop`; one that `~/.loop` is, or leads into, may not.
 */
export function treeAround(path: string, home: string = homedir()): string | null {
  return workTreeOn(path, isHomeState(path, home) ? realPath(home) : null);
}

/** A place of loop's in the home folder that no branch can write; null where there is none. */
export function freePlace(name: string, home: string = homedir()): string | null {
  const folders = [join(home, ".loop"), join(home, ".local", "state", "loop")];
  const places = folders.map((folder) => join(folder, name));
  return places.find((place) => treeAround(place, home) === null) ?? null;
}

/** The same for the state of a folder. */
export function freeStatePlace(folder: string, home: string = homedir()): string | null {
  return freePlace(join("state", nameOf(folder)), home);
}

/** Whether a path is below `~/.loop`, by its spelling or by where it really is. */
export function isHomeState(path: string, home: string = homedir()): boolean {
  return [
    [path, home],
    [realPath(path), realPath(home)],
  ].some(([at = "", above = ""]) => `${at}/`.startsWith(join(above, ".loop/")));
}
