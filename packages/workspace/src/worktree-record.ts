import { lstat, mkdir, readdir, rm, rmdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { ifAbsent } from "./if-absent.ts";
import { createAtMost } from "./concurrency-limit.ts";
import { WorkspaceError } from "./failure.ts";
import type { Layout } from "./layout.ts";
import { smallText } from "./plain-file.ts";
import { putFile } from "./put-file.ts";
import { makeParent } from "./root.ts";

/**
 * What git keeps of a work tree. For a clone of its own that is its `.git`; else it is a folder
 * `.git/worktrees/<name>` of the shared clone, whose file `gitdir` leads to the checkout, whose own
 * `.git` leads back. The name is git's choice, so the record is found by where it leads.
 * `everywhere` false leaves out records that git would not have named after this checkout: those of
 * worktrees out of the pool.
 */
export async function findRecord(
  layout: Layout,
  everywhere: boolean = true,
): Promise<string | null> {
  if (layout.kind === "clone")
    return (await isFolder(join(layout.checkout, ".git"))) ? join(layout.checkout, ".git") : null;
  // A checkout that stands says itself where its record is; only for one that does not are all
  // records looked at.
  const own = await leadsTo(layout);
  return own !== null && (await leadsBack(own, layout)) ? own : searchRecords(layout, everywhere);
}

async function searchRecords(layout: Layout, everywhere: boolean): Promise<string | null> {
  const names = await readdir(recordsOf(layout)).catch(ifAbsent([]));
  const records = names
    .filter((name) => everywhere || name.startsWith(basename(layout.checkout)))
    .map((name) => join(recordsOf(layout), name));
  const few = createAtMost(filesAtOnce);
  const found = await Promise.all(records.map((record) => few(() => leadsBack(record, layout))));
  return records[found.indexOf(true)] ?? null;
}

/** Enough to keep the file system busy, few enough to leave files to open for others. */
const filesAtOnce = 32;

const leadsBack = async (record: string, layout: Layout): Promise<boolean> =>
  (await smallText(join(record, "gitdir"))) === join(layout.checkout, ".git");

/** The record of a checkout that is known to stand. Throws when there is none. */
export async function recordOf(layout: Layout): Promise<string> {
  const record = await findRecord(layout);
  if (record === null)
    throw new WorkspaceError(
      "LOOP_E_WORKSPACE_GIT",
      `${layout.clone} has no record of ${layout.checkout}.`,
      "Somebody changed the clone by hand; look what is left of the checkout.",
    );
  return record;
}

/**
 * The commit that a work tree of ours has just been put at, from the small file that says so; null
 * where git has to be asked.
 */
export async function detachedAt(record: string): Promise<string | null> {
  const text = await smallText(join(record, "HEAD"));
  return text !== null && /^[0-9a-f]{40,64}$/.test(text) ? text : null;
}

/** Whether git had finished the record; it locks one with this word while it makes it. */
export async function isFinished(record: string): Promise<boolean> {
  const [head, common, locked] = await Promise.all(
    ["HEAD", "commondir", "locked"].map((name) => smallText(join(record, name))),
  );
  return head != null && common === "../.." && locked !== "initializing";
}

/**
 * Makes a worktree without files, detached at a commit. Written by hand: git would read the HEAD of
 * every other worktree first, and a session can put a pipe in the place of its own. It is locked
 * with git's own word until it is whole.
 */
export async function makeWorktree(layout: Layout, commit: string): Promise<void> {
  // Another record may lead here still: that of a worktree out of the pool that went, and the state
  // root with it.
  const stale = await findRecord(layout);
  if (stale !== null) await forgetWorktree(layout, stale);
  const record = await freeRecord(layout);
  await putFile(join(record, "locked"), "initializing");
  await putFile(join(record, "gitdir"), `${join(layout.checkout, ".git")}\n`);
  await putFile(join(record, "commondir"), "../..\n");
  await putFile(join(record, "HEAD"), `${commit}\n`);
  await makeParent(layout.checkout);
  await mkdir(layout.checkout, { recursive: true });
  await writeFile(join(layout.checkout, ".git"), `gitdir: ${record}\n`, { flag: "wx" });
  await rm(join(record, "locked"));
}

async function freeRecord(layout: Layout): Promise<string> {
  await mkdir(recordsOf(layout), { recursive: true });
  for (let at = 0; ; at++) {
    const record = join(recordsOf(layout), `${basename(layout.checkout)}${at === 0 ? "" : at}`);
    if (await mkdir(record).then(() => true, ifExists)) return record;
  }
}

function ifExists(error: unknown): false {
  if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
  throw error;
}

/**
 * Notes which folder the record is of. Where its `.git` is another one later, this tells a checkout
 * in which a session replaced it from a folder that somebody put in the checkout's place.
 */
export async function noteFolder(layout: Layout, record: string): Promise<void> {
  await putFile(join(record, folderNote), await identityOf(layout.checkout));
}

/** Whether the folder in the checkout's place is the one that was noted. */
export async function isNotedFolder(layout: Layout, record: string): Promise<boolean> {
  const noted = await smallText(join(record, folderNote));
  return noted !== null && noted === (await identityOf(layout.checkout));
}

const folderNote = "loop-folder";
const identityOf = (folder: string): Promise<string> =>
  lstat(folder, { bigint: true }).then(({ ino, birthtimeNs }) => `${ino}:${birthtimeNs}`);

/**
 * The directory that a session put in the place of a checkout's `.git`; null where that is what we
 * wrote, or nothing that could hold work.
 */
export async function replacedGit(layout: Layout, record: string): Promise<string | null> {
  if (layout.kind === "clone" || (await leadsTo(layout)) === record) return null;
  const path = join(layout.checkout, ".git");
  return (await isFolder(path)) ? path : null;
}

/**
 * Where a checkout's `.git` leads; null unless it is a plain file that leads to a record of this
 * clone.
 */
export async function leadsTo(layout: Layout): Promise<string | null> {
  const text = await smallText(join(layout.checkout, ".git"));
  const target = text?.startsWith("gitdir: ") ? text.slice("gitdir: ".length) : null;
  // Put together anew: `.` and `..` are no names of a record.
  const isRecord = target !== null && target === join(recordsOf(layout), basename(target));
  return isRecord ? target : null;
}

/**
 * Lets the clone forget a worktree whose folder is gone or holds nothing but git's own pointer, so
 * that it can be made again. Removes no folder that has anything else in it. `known` is its record,
 * where that was found before the folder went.
 */
export async function forgetWorktree(layout: Layout, known: string | null = null): Promise<void> {
  if (layout.kind === "clone") return;
  const record = known ?? (await findRecord(layout));
  if (record !== null) await rm(record, { recursive: true, force: true });
  const unfinished = join(recordsOf(layout), basename(layout.checkout));
  if ((await smallText(join(unfinished, "gitdir"))) === null)
    await rm(unfinished, { recursive: true, force: true });
  const entries = await readdir(layout.checkout).catch(ifAbsent(null));
  if (entries === null || entries.some((name) => name !== ".git")) return;
  await rm(join(layout.checkout, ".git"), { force: true });
  await rmdir(layout.checkout);
}

const isFolder = (path: string): Promise<boolean> =>
  lstat(path).then((stat) => stat.isDirectory(), ifAbsent(false));
const recordsOf = (layout: Layout): string => join(layout.clone, ".git", "worktrees");
