import { chmod, copyFile, cp, lstat, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ifAbsent } from "./if-absent.ts";
import { makeBorrower } from "./borrower.ts";
import { WorkspaceError } from "./failure.ts";
import type { Tools } from "./move-clone.ts";
import { copyIndex } from "./own-repository.ts";
import { readHead, readRef, recordsOf } from "./records.ts";
import { writeDurably } from "./put-file.ts";
import { withFiles, withIndex, writeHead } from "./write-files.ts";
import type { Layout } from "./layout.ts";
import { fromList, toList } from "./nul-lists.ts";
import { decodeName, fileAt, shownName } from "./names.ts";
import { removeFile } from "./remove-file.ts";
import { restoreFromBase } from "./restore.ts";
import { parseRights, putRights } from "./file-modes.ts";
import { stateNames } from "./salvage.ts";
import { type Saved, salvageFolder } from "./salvage-record.ts";
import { takeSnapshot } from "./snapshot.ts";
import { recordOf } from "./worktree-record.ts";

/**
 * Makes a freshly registered checkout what it was when it was saved: files, index, branch and
 * whatever was half done. Looks afterwards whether it came out the same, byte for byte, and rejects
 * when it did not. Returns what a person may want to know.
 */
export async function bringBack(
  tools: Tools,
  layout: Layout,
  saved: Saved,
  stateRoot: string,
): Promise<readonly string[]> {
  const gitDir = join(
    salvageFolder(stateRoot),
    `${saved.folder.slice(salvageFolder(stateRoot).length + 1)}.borrower`,
  );
  try {
    const rights = parseRights(
      await readFile(join(saved.folder, "rights.json"), "utf8").catch(ifAbsent("null")),
    );
    const { mode } = await lstat(layout.checkout);
    // A file that only its owner may read is not there for others until it has its rights back.
    await chmod(layout.checkout, 0o700);
    const isTrusted = saved.registered.restoreFrom === null && saved.restoredFrom === null;
    await writeHead(tools, layout, null, isTrusted && saved.registered.cloneUrl);
    if (saved.restoredFrom !== null) await restoreFromBase(tools, layout, saved.restoredFrom);
    const record = await recordOf(layout);
    // Before the attributes may change: what the head wrote and nobody touched counts as unchanged,
    // as it did.
    await putIndex(saved, record);
    // A file that is as young as the index is looked at again each time: git's clock is coarse.
    await sleep(20);
    await refresh(tools, layout);
    await writeFiles(tools, layout, saved, gitDir);
    const notes = await checkOutBranch(tools, layout, saved);
    await putState(saved, record, layout);
    const others =
      rights === null
        ? []
        : await withIndex(tools, layout, (where) => putRights(tools.git, where, rights));
    await refresh(tools, layout);
    await compare(tools, layout, saved, gitDir);
    await chmod(
      layout.checkout,
      rights === null ? mode & 0o7777 : (rights.others.get("") ?? rights.usual.folder),
    );
    return [...notes, ...others];
  } finally {
    await rm(gitDir, { recursive: true, force: true });
  }
}

/**
 * Files that were removed go, files whose bytes were kept are written as they were; all others are
 * the head's.
 */
async function writeFiles(
  { git }: Tools,
  layout: Layout,
  saved: Saved,
  gitDir: string,
): Promise<void> {
  const { head, work } = commitsOf(saved);
  const borrower = await makeBorrower(await recordsOf(layout), gitDir);
  const where = borrower.at(join(gitDir, "work-index"));
  const removed = fromList(
    await git.run(where, [
      "diff-tree",
      "-r",
      "-z",
      "--no-renames",
      "--name-only",
      "--diff-filter=D",
      head,
      work,
    ]),
  );
  for (const path of removed) await removeFile(layout.checkout, path);
  const raw = new Set(fromList(decodeName(await readFile(join(saved.folder, "raw")))));
  await git.run(where, ["read-tree", work]);
  // In a borrower nothing is converted, so that this finds the files whose bytes are others, and no
  // more.
  await git.run(where, ["update-index", "-q", "--refresh"], { minutes: 20, answers: [1] });
  const other = fromList(
    await git.run(where, ["diff-files", "--ignore-submodules=dirty", "--name-only", "-z"], {
      minutes: 20,
    }),
  ).filter((path) => raw.has(path));
  if (other.length > 0)
    await git.run(where, ["checkout-index", "--force", "--quiet", "-z", "--stdin"], {
      input: toList(other),
      minutes: 20,
    });
  const rows = fromList(await git.run(where, ["ls-files", "--stage", "-z"]));
  // A submodule that was not filled had its folder all the same.
  for (const row of rows)
    if (row.startsWith("160000"))
      await mkdir(fileAt(layout.checkout, row.slice(row.indexOf("\t") + 1)), { recursive: true });
}

const refresh = (tools: Tools, layout: Layout): Promise<string> =>
  withFiles(tools, layout, null, false, (where) =>
    tools.git.run(where, ["update-index", "-q", "--refresh"], { minutes: 20, answers: [1] }),
  );

async function putIndex(saved: Saved, record: string): Promise<void> {
  for (const name of await readdir(record))
    if (name === "index" || name.startsWith("sharedindex.")) await rm(join(record, name));
  await copyIndex(saved.folder, join(record, "index"), record);
}

/** After the branches, whose logs would grow by their coming back. */
async function putState(saved: Saved, record: string, layout: Layout): Promise<void> {
  for (const name of stateNames) {
    const from = join(saved.folder, "state", name);
    if ((await lstat(from).catch(ifAbsent(null))) !== null)
      await cp(from, join(record, name), { recursive: true, verbatimSymlinks: true, force: true });
  }
  if (layout.kind !== "clone") return;
  await mkdir(join(record, "logs", "refs"), { recursive: true });
  await copyFile(join(saved.folder, "stash-log"), join(record, "logs", "refs", "stash")).catch(
    ifAbsent(undefined),
  );
}

/**
 * The branch that was checked out, unless it stands elsewhere by now. Branches of a clone of its
 * own come back first.
 */
async function checkOutBranch(
  { git }: Tools,
  layout: Layout,
  saved: Saved,
): Promise<readonly string[]> {
  const own = Object.entries(saved.refs).flatMap(([name, id]) =>
    name.startsWith("refs/salvage/own/")
      ? [[name.replace("refs/salvage/own/", "refs/"), id] as const]
      : [],
  );
  await git.changeRefs(layout.clone, new Map(own.map(([ref, to]) => [ref, { to }])));
  const branch = saved.headFile.startsWith("ref: refs/heads/")
    ? saved.headFile.slice("ref: ".length)
    : null;
  if (branch === null) return [];
  if (!branch.isWellFormed())
    return [
      `the branch ${shownName(branch.slice("refs/heads/".length))} cannot be checked out by us; the checkout is detached at ${saved.head}`,
    ];
  const common = join(layout.clone, ".git");
  const at = await readRef(common, branch);
  const elsewhere = (await branchesOut(common)).includes(branch);
  if (elsewhere || (at !== null && at !== saved.head))
    return [
      `${branch.slice("refs/heads/".length)} is ${elsewhere ? "checked out elsewhere" : "at another commit"} by now; the checkout is detached at ${saved.head}`,
    ];
  if (at === null) await git.changeRefs(layout.clone, new Map([[branch, { to: saved.head }]]));
  await writeDurably(join((await recordsOf(layout)).own, "HEAD"), `ref: ${branch}\n`);
  return [];
}

/** Branches that are checked out in the clone itself and in its worktrees. */
async function branchesOut(common: string): Promise<readonly string[]> {
  const names = await readdir(join(common, "worktrees")).catch(ifAbsent([]));
  const heads = await Promise.all(
    [common, ...names.map((name) => join(common, "worktrees", name))].map((own) =>
      readHead({ own, common }),
    ),
  );
  return heads.flatMap((head) => (head?.ref == null ? [] : [head.ref]));
}

/**
 * The proof: photographed again, it must be what was saved. Links to commits of submodules are not
 * compared: their folders are empty now.
 */
async function compare(
  { git }: Tools,
  layout: Layout,
  saved: Saved,
  gitDir: string,
): Promise<void> {
  const { index, work } = commitsOf(saved);
  const again = await takeSnapshot(git, layout, gitDir, true);
  if (again === null) throw new Error("a photograph that was asked for was not taken");
  for (const [before, after] of [
    [index, again.index],
    [work, again.work],
  ] as const) {
    const rows = fromList(
      await git.run(again.borrower.at(), ["diff-tree", "-r", "-z", "--no-renames", before, after]),
    );
    const other = rows.filter((_, at) => at % 2 === 1 && !(rows[at - 1] ?? "").includes("160000 "));
    if (other.length > 0)
      throw new WorkspaceError(
        "LOOP_E_WORKSPACE_UNDO",
        `${layout.checkout} did not come back as it was: ${other.length} files differ, the first is ${shownName(other[0] ?? "?")}.`,
        `Nothing of what was saved is lost: it is in ${saved.folder}, and any clone takes its bundle.`,
      );
  }
}

function commitsOf(saved: Saved): {
  readonly head: string;
  readonly index: string;
  readonly work: string;
} {
  const [index, work] = [saved.refs["refs/salvage/index"], saved.refs["refs/salvage/work"]];
  if (index === undefined || work === undefined)
    throw new WorkspaceError(
      "LOOP_E_WORKSPACE_UNDO",
      `${saved.folder} has no complete salvage.json.`,
      "Look at the folder by hand; any clone takes its bundle.",
    );
  return { head: saved.head, index, work };
}
