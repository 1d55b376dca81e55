import { randomUUID } from "node:crypto";
import { constants, type Dirent } from "node:fs";
import { lstat, open, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { readFetched } from "./fetched-note.ts";
import type { Where } from "./git.ts";
import type { Layout } from "./layout.ts";
import { fromList } from "./nul-lists.ts";
import { entriesOf } from "./names.ts";
import { moveClone, type Tools } from "./move-clone.ts";
import { unwrittenMark } from "./observe.ts";
import type { LargeFiles } from "./own-repository.ts";
import { smallText } from "./plain-file.ts";
import { inFolder } from "./no-follow-folder.ts";
import { readHead, readRef } from "./records.ts";
import { putFile, writeDurably } from "./put-file.ts";
import { makeParent } from "./root.ts";
import { removeTree } from "./remove-tree.ts";
import { branchOf } from "./refs.ts";
import { isAsGitWritesIt } from "./matches-index.ts";
import {
  detachedAt,
  findRecord,
  forgetWorktree,
  isFinished,
  leadsTo,
  recordOf,
} from "./worktree-record.ts";
import { withFiles, withIndex, writeHead } from "./write-files.ts";

/**
 * Warm worktrees (`routing.workspace.pool`): a released one is made spotless and kept, so that the
 * next work item of the repository moves it to its commit instead of writing every file anew
 * (performance: worktrees). It keeps nothing of the work item that it served: not a file, not a
 * right, not a mark in the index, not a line of git's record. What cannot be made spotless is
 * thrown away as always.
 */
const poolOf = (layout: Layout): string => join(dirname(layout.checkout), poolName);
const poolName = ".pool";

/** Works in the pool's folder, which no link leads to. */
const inPool = <T>(
  layout: Layout,
  work: (folder: string) => Promise<T>,
  make: { readonly make?: number } = {},
): Promise<T | null> => inFolder(dirname(layout.checkout), [poolName], work, make);

/**
 * What the mark says of a checkout that came out of the pool, before the commit that it is to be
 * moved to.
 */
const fromPool = "from the pool: ";

/**
 * Everything that git's record of a worktree may hold for the next one; logs, states and settings
 * of the last go.
 */
const kept: ReadonlySet<string> = new Set(["HEAD", "commondir", "gitdir", "index"]);

/**
 * Told to git while files are put back, so that nothing that a session set makes it overlook one.
 */
const watchful = [
  "core.fileMode=true",
  "core.trustctime=true",
  "core.checkStat=default",
  "core.untrackedCache=false",
  "core.ignoreStat=false",
  "core.symlinks=true",
].flatMap((pair) => ["-c", pair]);

/**
 * Keeps a released worktree for the next work item; false when it has to be thrown away. Under the
 * repository's lock.
 */
export async function keepWarm(tools: Tools, layout: Layout, most: number): Promise<boolean> {
  if (layout.kind !== "worktree" || most <= 0) return false;
  if (!(await isPlainPool(layout))) return false;
  const slots = await slotsOf(layout);
  for (const slot of slots.slice(most)) await drop(slot, layout);
  if (slots.length >= most) return false;
  const record = await recordOf(layout);
  if (
    (await leadsTo(layout)) !== record ||
    !(await canBeKept(tools, layout, record)) ||
    !(await cleaned(tools, layout, record))
  )
    return false;
  for (const name of await readdir(record))
    if (!kept.has(name)) await rm(join(record, name), { recursive: true, force: true });
  const slot = join(poolOf(layout), randomUUID());
  // Killed after this step, the record leads to where nothing stands, and is forgotten with the
  // slot that it does not know.
  const put = (folder: string): Promise<void> =>
    rename(layout.checkout, join(folder, basename(slot)));
  await inPool(layout, put, { make: 0o700 });
  await putFile(join(record, "gitdir"), `${join(slot, ".git")}\n`);
  return true;
}

/** A warm worktree, and whether it was found untouched since it was put away. */
export type Warm = { readonly slot: string; readonly record: string; readonly untouched: boolean };

/**
 * Picks a warm worktree and looks at every file of it, which takes as long as asking the remote and
 * can go on beside it. Null when there is none. Under the repository's lock.
 */
export async function findWarm(tools: Tools, layout: Layout): Promise<Warm | null> {
  if (layout.kind !== "worktree") return null;
  for (const slot of await slotsOf(layout)) {
    const record = await leadsTo({ ...layout, checkout: slot });
    const whole =
      record !== null &&
      (await findRecord({ ...layout, checkout: slot })) === record &&
      (await isFinished(record)) &&
      (await lstat(join(record, "index")).then(
        (stat) => stat.isFile(),
        () => false,
      ));
    if (!whole) {
      await drop(slot, layout);
      continue;
    }
    const same = inIndex(tools, { ...layout, checkout: slot }, record, (where) =>
      tools.git.run(
        where,
        [...watchful, "diff-files", "--ignore-submodules=dirty", "--name-only", "-z"],
        { minutes: 5 },
      ),
    ).then(
      (names) => names === "",
      () => false,
    );
    const counts = Promise.all([countFiles(slot), countEntries(join(record, "index"))]).then(
      ([files, entries]) => files === entries,
      () => false,
    );
    return { slot, record, untouched: (await same) && (await counts) };
  }
  return null;
}

/**
 * Moves a warm worktree to where the checkout belongs, its files still to be moved to the commit
 * `start`. Under the repository's lock.
 */
export async function takeWarm(
  { slot, record }: Warm,
  layout: Layout,
  start: string,
): Promise<void> {
  await putFile(join(record, unwrittenMark), `${fromPool}${start}\n`);
  await makeParent(layout.checkout);
  await putFile(join(record, "gitdir"), `${join(layout.checkout, ".git")}\n`);
  await inPool(layout, (folder) => rename(join(folder, basename(slot)), layout.checkout));
}

/**
 * Moves the files of a worktree that was just found untouched: only those that differ between the
 * two commits are looked at. False, with nothing lost, when it could not; a reset is then the way.
 */
export async function moveUntouched(
  tools: Tools,
  layout: Layout,
  record: string,
  start: string,
  url: LargeFiles,
): Promise<boolean> {
  const from = await detachedAt(record);
  if (from === null) return false;
  if (
    !(await withFiles(tools, layout, from, url, (where) =>
      tools.git.run(where, ["read-tree", "-m", "-u", from, start], { minutes: 20 }),
    ).then(
      () => true,
      () => false,
    ))
  )
    return false;
  await writeDurably(join(record, "HEAD"), `${start}\n`);
  return true;
}

/**
 * The commit that a checkout out of the pool is to be moved to; null for one that came another way,
 * or stands already.
 */
export async function warmStart(record: string): Promise<string | null> {
  const text = (await smallText(join(record, unwrittenMark))) ?? "";
  return text.startsWith(fromPool) ? text.slice(fromPool.length).trim() : null;
}

/**
 * Takes away what something of the last work item went on writing where its checkout was moved to.
 * After a reset every file of the index is there, so that more files than entries mean strays; only
 * then git is asked to look for them.
 */
export async function removeStrays(tools: Tools, layout: Layout, record: string): Promise<void> {
  const [files, entries] = await Promise.all([
    countFiles(layout.checkout),
    countEntries(join(record, "index")),
  ]);
  if (files !== entries) await removeUntracked(tools, layout);
}

/** Whatever git does not track goes, ignored files and repositories of their own among it. */
const removeUntracked = (tools: Tools, layout: Layout): Promise<string> =>
  withIndex(tools, layout, (where) => tools.git.run(where, ["clean", "-ffdxq"], { minutes: 20 }));

async function countFiles(checkout: string): Promise<number> {
  const count = async (folder: string): Promise<number> => {
    const counts = (await entriesOf(folder)).map(async ({ name, entry }) =>
      entry.isDirectory() ? count(`${folder}/${name}`) : 1,
    );
    return (await Promise.all(counts)).reduce((sum, each) => sum + each, 0);
  };
  // The checkout's own `.git` is a file as well.
  return (await count(checkout)) - 1;
}

/** How many entries an index has: a number in its header. */
async function countEntries(index: string): Promise<number> {
  const handle = await open(index, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const { buffer } = await handle.read(Buffer.alloc(12), 0, 12, 0);
    return buffer.readUInt32BE(8);
  } finally {
    await handle.close();
  }
}

/**
 * Settings of its own, a part of the files, a shared index or a mark in the index would outlive the
 * reset.
 */
async function canBeKept(tools: Tools, layout: Layout, record: string): Promise<boolean> {
  const names = await readdir(record);
  if (
    !names.includes("index") ||
    names.some((name) => name === "config.worktree" || name.startsWith("sharedindex."))
  )
    return false;
  const rows = fromList(
    await inIndex(tools, layout, record, (where) => tools.git.run(where, ["ls-files", "-v", "-z"])),
  );
  return rows.every((row) => row.startsWith("H ") || row.startsWith("M "));
}

/**
 * Puts back what the default branch has, takes away everything else, and looks with its own eyes
 * whether that worked.
 */
async function cleaned(tools: Tools, layout: Layout, record: string): Promise<boolean> {
  try {
    await followFetched(tools, layout);
    const common = join(layout.clone, ".git");
    const target = (await readHead({ own: common, common }))?.commit ?? null;
    if (target === null) return false;
    await writeHead(tools, layout, target, null, watchful);
    await removeUntracked(tools, layout);
    return isAsGitWritesIt(
      layout.checkout,
      fromList(
        await inIndex(tools, layout, record, (where) =>
          tools.git.run(where, ["ls-files", "--stage", "-z"]),
        ),
      ),
    );
  } catch {
    return false;
  }
}

/**
 * Moves the shared clone to where its branch was last fetched; warm starts leave that to us.
 * Somebody's own changes there stay.
 */
async function followFetched(tools: Tools, { clone, checkout }: Layout): Promise<void> {
  const branch = await branchOf(clone);
  if (!branch.startsWith("refs/heads/")) return;
  const name = branch.slice("refs/heads/".length);
  const noted = (await readFetched(checkout)).branches.get(name) ?? [];
  const target = noted[0] ?? (await readRef(join(clone, ".git"), `refs/remotes/origin/${name}`));
  if (target !== null) await moveClone(tools, clone, branch, target, noted);
}

/** Looks at a worktree by its own index, in a repository of ours that changes nothing. */
const inIndex = (
  tools: Tools,
  layout: Layout,
  record: string,
  work: (where: Where) => Promise<string>,
): Promise<string> =>
  tools.own(
    {
      common: join(layout.clone, ".git"),
      workTree: layout.checkout,
      purpose: "look",
      index: join(record, "index"),
    },
    work,
  );

export async function slotsOf(layout: Layout): Promise<readonly string[]> {
  const look = (folder: string): Promise<Dirent[]> => readdir(folder, { withFileTypes: true });
  const entries = (await inPool(layout, look).catch(() => null)) ?? [];
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return names.map((name) => join(poolOf(layout), name));
}

/** False where something else stands in its place: no checkout is kept there then. */
const isPlainPool = (layout: Layout): Promise<boolean> =>
  inPool(layout, async () => {}).then(
    () => true,
    () => false,
  );

async function drop(slot: string, layout: Layout): Promise<void> {
  await inPool(layout, (folder) => removeTree(join(folder, basename(slot))));
  await forgetWorktree({ ...layout, checkout: slot });
}
