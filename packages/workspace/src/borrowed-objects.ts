import { lstat } from "node:fs/promises";
import { join, sep } from "node:path";
import { ifAbsent } from "./if-absent.ts";
import { isInside, workItemsName } from "./layout.ts";

/** Folders that a checkout below the root reads objects from. */
export async function borrowedBy(root: string, workdir: string): Promise<readonly string[]> {
  return isInside(join(root, workItemsName), workdir) ? lentTo(join(workdir, ".git")) : [];
}

/**
 * Folders of objects that a clone of its own borrows, by the folder of its records. They follow
 * from where it stands: what it says itself, an agent may have written.
 */
export async function lentTo(common: string): Promise<readonly string[]> {
  const parts = common.split(sep);
  if (parts.at(-6) !== workItemsName || parts.at(-1) !== ".git") return [];
  const objects = join(parts.slice(0, -6).join(sep) || sep, ...parts.slice(-4), "objects");
  const stat = await lstat(objects).catch(ifAbsent(null));
  return stat?.isDirectory() === true ? [objects] : [];
}
