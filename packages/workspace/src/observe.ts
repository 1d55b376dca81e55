import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { ifAbsent } from "./absent.ts";
import type { Layout } from "./layout.ts";
import type { Observed } from "./plan.ts";
import { findRecord, isFinished, leadsTo } from "./worktree-record.ts";

/** File in a clone's `.git` that says that its first fetch ended. */
export const fetchedMark = "loop-fetched";

/** File beside git's record of a work tree that says that its files are not all what they are to be yet. */
export const unwrittenMark = "loop-unwritten";

/** Looks what stands. Reads names and a few small files; runs no git. */
export async function observe(layout: Layout): Promise<Observed> {
  const clone = await observeClone(layout.clone);
  if (layout.kind === "worktree") return { clone, checkout: await observeCheckout(layout) };
  if (clone === "occupied") return { clone: "ready", checkout: "occupied" };
  // Without an index its files were never all written, and nobody has worked there: it is begun anew.
  if (clone !== "ready" || !(await exists(join(layout.clone, ".git", "index")))) return { clone, checkout: "absent" };
  return { clone, checkout: (await exists(join(layout.clone, ".git", unwrittenMark))) ? "unwritten" : "ready" };
}

async function observeClone(clone: string): Promise<Observed["clone"]> {
  const entries = await namesIn(clone);
  if (entries === "none" || entries.length === 0) return "absent";
  if (!(await isFolder(join(clone, ".git")))) return "occupied";
  // A `.git` that takes its configuration from somewhere else is none that we made.
  if (await exists(join(clone, ".git", "commondir"))) return "occupied";
  // Git writes HEAD late; before it the folder is no repository yet, and `init` finishes it.
  if (!(await exists(join(clone, ".git", "HEAD")))) return "absent";
  return (await exists(join(clone, ".git", fetchedMark))) ? "ready" : "unfinished";
}

async function observeCheckout(layout: Layout): Promise<Observed["checkout"]> {
  const entries = await namesIn(layout.checkout);
  const record = await findRecord(layout);
  if (entries === "none") return record === null ? "absent" : "stale";
  if (entries.length === 0) return "stale";
  const target = await leadsTo(layout);
  const whole = target !== null && target === record && (await isFinished(record));
  if (!whole) return target !== null && entries.length === 1 ? "stale" : "occupied";
  // Git renames the finished index into place as its last act, so an index means that every file was written.
  return (await exists(join(record, "index"))) && !(await exists(join(record, unwrittenMark))) ? "ready" : "unwritten";
}

/** Names in a folder; `none` when nothing stands there; something that is no folder counts as one name. */
async function namesIn(path: string): Promise<readonly string[] | "none"> {
  const stat = await lstat(path).catch(ifAbsent(null));
  if (stat === null) return "none";
  return stat.isDirectory() ? readdir(path) : [path];
}

const exists = (path: string): Promise<boolean> => lstat(path).then(() => true, ifAbsent(false));
const isFolder = (path: string): Promise<boolean> => lstat(path).then((stat) => stat.isDirectory(), ifAbsent(false));
