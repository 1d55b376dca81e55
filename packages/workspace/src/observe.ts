import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Layout } from "./layout.ts";
import type { Observed } from "./plan.ts";

/** File in a clone's `.git` that says that its first fetch ended. */
export const fetchedMark = "loop-fetched";

/** Looks what stands. Reads names and two small files; runs no git. */
export async function observe(layout: Layout): Promise<Observed> {
  return { clone: await observeClone(layout.clone), checkout: await observeCheckout(layout) };
}

async function observeClone(clone: string): Promise<Observed["clone"]> {
  if (!(await exists(clone))) return "absent";
  if (!(await isFolder(join(clone, ".git")))) return "occupied";
  return (await exists(join(clone, ".git", fetchedMark))) ? "ready" : "unfinished";
}

async function observeCheckout(layout: Layout): Promise<Observed["checkout"]> {
  const admin = adminOf(layout);
  const registered = await isFolder(admin);
  if (!(await exists(layout.checkout))) return registered ? "stale" : "absent";
  if (!registered || !(await pointsTo(layout.checkout, admin))) return "occupied";
  // Git renames the finished index into place as its last act, so an index means that every file was written.
  return (await exists(join(admin, "index"))) ? "ready" : "unwritten";
}

/** Where the shared clone keeps what belongs to this worktree alone. */
export const adminOf = (layout: Layout): string => join(layout.clone, ".git", "worktrees", layout.checkoutSegments.at(-1) ?? "");

/** Whether the checkout's `.git` is the plain file that leads to this place. */
async function pointsTo(checkout: string, admin: string): Promise<boolean> {
  const file = join(checkout, ".git");
  const stat = await lstat(file).catch(() => null);
  if (stat === null || !stat.isFile() || stat.size > 5_000) return false;
  return (await readFile(file, "utf8")).trim() === `gitdir: ${admin}`;
}

const exists = (path: string): Promise<boolean> => lstat(path).then(() => true, () => false);
const isFolder = (path: string): Promise<boolean> => lstat(path).then((stat) => stat.isDirectory(), () => false);
