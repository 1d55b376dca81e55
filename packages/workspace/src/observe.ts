import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { ifAbsent } from "./if-absent.ts";
import type { Layout } from "./layout.ts";
import type { Observed } from "./plan.ts";
import { findRecord, isFinished, isNotedFolder, leadsTo } from "./worktree-record.ts";

/** File in a clone's `.git` that says that its first fetch ended. */
export const fetchedMark = "loop-fetched";

/**
 * File beside git's record of a work tree that says that its files are not all what they are to be
 * yet.
 */
export const unwrittenMark = "loop-unwritten";

/**
 * Looks what stands. Reads names and a few small files; runs no git. With `isKnown` false nobody
 * has this checkout on record, so that a record of git's which leads there is not looked for
 * everywhere: there may be thousands.
 */
export async function observe(layout: Layout, isKnown: boolean = true): Promise<Observed> {
  const clone = await observeClone(layout.clone);
  if (layout.kind === "worktree")
    return { clone, checkout: await observeCheckout(layout, isKnown) };
  if (clone === "occupied") return { clone: "ready", checkout: "occupied" };
  const checkout =
    clone === "ready" ? await observeFiles(layout, join(layout.clone, ".git")) : "unwritten";
  // Where there is only a head or less, nobody has worked: it is begun anew.
  return {
    clone,
    checkout:
      checkout === "unwritten" && !(await exists(join(layout.clone, ".git", unwrittenMark)))
        ? "absent"
        : checkout,
  };
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

async function observeCheckout(layout: Layout, isKnown: boolean): Promise<Observed["checkout"]> {
  const entries = await namesIn(layout.checkout);
  const record = await findRecord(layout, isKnown);
  if (entries === "none") return record === null ? "absent" : "stale";
  if (entries.length === 0) return "stale";
  const target = await leadsTo(layout);
  const finished = record !== null && (await isFinished(record));
  if (finished && target !== record && (await isNotedFolder(layout, record))) return "replaced";
  const whole = finished && target === record;
  if (!whole) return target !== null && entries.length === 1 ? "stale" : "occupied";
  return observeFiles(layout, record);
}

/**
 * Whether somebody may have worked there. Our mark says that files are still to be written; it is
 * set last of all before the first of them, so that without it and without an index there is none.
 * A session may have removed its index, and its files stay.
 */
async function observeFiles({ checkout }: Layout, record: string): Promise<"ready" | "unwritten"> {
  if (await exists(join(record, unwrittenMark))) return "unwritten";
  const names = (await exists(join(record, "index"))) ? "none" : await namesIn(checkout);
  return names === "none" || names.some((name) => name !== ".git") ? "ready" : "unwritten";
}

/**
 * Names in a folder; `none` when nothing stands there; something that is no folder counts as one
 * name.
 */
async function namesIn(path: string): Promise<readonly string[] | "none"> {
  const stat = await lstat(path).catch(ifAbsent(null));
  if (stat === null) return "none";
  return stat.isDirectory() ? readdir(path) : [path];
}

const exists = (path: string): Promise<boolean> => lstat(path).then(() => true, ifAbsent(false));
const isFolder = (path: string): Promise<boolean> =>
  lstat(path).then((stat) => stat.isDirectory(), ifAbsent(false));
