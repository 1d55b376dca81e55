import { cp, lstat, mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { formatRef, type Ref } from "@loopwork/core/ports";
import { ifAbsent } from "./if-absent.ts";
import { type Borrower, makeBorrower } from "./borrower.ts";
import type { Git } from "./git.ts";
import { refuseLossInside } from "./inner-repositories.ts";
import { type Layout, slugOf } from "./layout.ts";
import { toList } from "./nul-lists.ts";
import { encodeName } from "./names.ts";
import { copyIndex } from "./own-repository.ts";
import {
  type Records,
  readHead,
  readIds,
  readLog,
  readLogs,
  readRefs,
  recordsOf,
} from "./records.ts";
import type { Registered } from "./registry.ts";
import { branchOf } from "./refs.ts";
import { readRestored } from "./restored-files.ts";
import { formatRights } from "./file-modes.ts";
import { forgetSaved, salvageFolder, writeSaved } from "./salvage-record.ts";
import { type Snapshot, takeSnapshot } from "./snapshot.ts";
import { replacedGit } from "./worktree-record.ts";

/**
 * What is saved, for whom, and where to. `stamp` is milliseconds since 1970, `days` how long older
 * ones are kept.
 */
export type SalvageRequest = {
  readonly workItem: Ref;
  readonly layout: Layout;
  readonly registered: Registered;
  readonly stateRoot: string;
  readonly stamp: number;
  readonly days: number;
};

/**
 * Files and folders of git's record of a work tree that hold something half done: a merge, a
 * rebase, a search.
 */
export const stateNames: readonly string[] = [
  "MERGE_HEAD",
  "MERGE_MSG",
  "MERGE_MODE",
  "MERGE_RR",
  "SQUASH_MSG",
  "COMMIT_EDITMSG",
  "ORIG_HEAD",
  "CHERRY_PICK_HEAD",
  "REVERT_HEAD",
  "REBASE_HEAD",
  "AUTO_MERGE",
  "BISECT_LOG",
  "BISECT_START",
  "BISECT_TERMS",
  "BISECT_NAMES",
  "BISECT_EXPECTED_REV",
  "rebase-merge",
  "rebase-apply",
  "sequencer",
  "logs/HEAD",
];

/**
 * Saves what would vanish with a checkout (docs/specification.md#salvage): files that are not
 * committed, what was staged, and every commit that was ever checked out there and is on no remote
 * branch. Ignored files are not saved. Returns the folder with `work.bundle`, `index` and
 * `salvage.json`, or null when nothing would vanish. Rejects when it cannot be saved whole.
 */
export async function salvage(git: Git, request: SalvageRequest): Promise<string | null> {
  const { layout, stateRoot } = request;
  const name = `${slugOf(request.workItem)}-${new Date(request.stamp).toISOString().replaceAll(/[:.]/g, "-")}`;
  await forgetSaved(stateRoot, request.days, request.stamp);
  const free = await freeName(salvageFolder(stateRoot), name);
  const gitDir = join(salvageFolder(stateRoot), `${free}.borrower`);
  try {
    const records = await recordsOf(layout);
    await refuseLossInside(git, layout, records, gitDir);
    // What is on the remote, as the clone knows it: all that is asked of our repository is answered
    // from these.
    const refs = await readRefs(records.common, ["refs/remotes/origin/", "refs/loop/pull/"]);
    const unpushed = await unpushedCommits(
      git,
      layout,
      records,
      await makeBorrower(records, gitDir, undefined, refs),
    );
    const replaced = await replacedGit(layout, records.own);
    const snapshot = await takeSnapshot(
      git,
      layout,
      gitDir,
      unpushed.length > 0 || replaced !== null,
      refs,
    );
    if (snapshot === null || (!snapshot.dirty && unpushed.length === 0 && replaced === null))
      return null;
    return await keep(git, request, { name: free, snapshot, unpushed, records, refs, replaced });
  } finally {
    await rm(gitDir, { recursive: true, force: true });
  }
}

/** Two checkouts of one work item may be saved in the same millisecond. */
async function freeName(folder: string, name: string): Promise<string> {
  for (let at = 1; ; at++) {
    const next = at === 1 ? name : `${name}-${at}`;
    if ((await lstat(join(folder, next)).catch(ifAbsent(null))) === null) return next;
  }
}

type Kept = {
  readonly name: string;
  readonly snapshot: Snapshot;
  readonly unpushed: readonly string[];
  readonly records: Records;
  readonly refs: ReadonlyMap<string, string>;
  readonly replaced: string | null;
};

/** Writes everything next to its place, checks it, and moves it there in one step. */
async function keep(
  git: Git,
  request: SalvageRequest,
  { name, snapshot, unpushed, records, refs: known, replaced }: Kept,
): Promise<string> {
  const { layout, registered, stamp } = request;
  const folder = join(salvageFolder(request.stateRoot), name);
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true, mode: 0o700 });
  const refs = {
    "refs/salvage/head": snapshot.head,
    "refs/salvage/index": snapshot.index,
    "refs/salvage/work": snapshot.work,
    ...Object.fromEntries(unpushed.map((id, at) => [`refs/salvage/commit-${at}`, id])),
    ...(await ownRefs(layout, records)),
  };
  await bundle(
    git,
    snapshot.borrower,
    refs,
    await lastingCommits(layout, registered.defaultBranch, known),
    join(partial, "work.bundle"),
  );
  const record = records.own;
  await copyIndex(record, join(partial, "index"), partial);
  await writeFile(join(partial, "raw"), encodeName(toList(snapshot.raw)));
  await writeFile(join(partial, "rights.json"), formatRights(snapshot.rights));
  for (const each of stateNames)
    await copyIfThere(join(record, each), join(partial, "state", each));
  // Commits may be in it; nobody asks git about them.
  if (replaced !== null) await copyData(replaced, join(partial, "replaced-git"));
  if (layout.kind === "clone")
    await copyIfThere(join(record, "logs", "refs", "stash"), join(partial, "stash-log"));
  const restored = await readRestored(layout.checkout);
  const headFile = await readHead(records).then((head) =>
    head?.ref == null ? snapshot.head : `ref: ${head.ref}`,
  );
  await writeSaved(partial, {
    workItem: formatRef(request.workItem),
    savedAt: stamp,
    restoredAt: null,
    registered,
    head: snapshot.head,
    headFile,
    refs,
    restoredFrom: restored === null ? null : { commit: restored.base, branch: restored.branch },
  });
  await flush(partial);
  await rename(partial, folder);
  return folder;
}

/** Data, links as links. A pipe, a socket or a device holds nothing, and can't be copied. */
const isCopied = async (from: string): Promise<boolean> => {
  const stat = await lstat(from);
  return stat.isFile() || stat.isDirectory() || stat.isSymbolicLink();
};

/** What is not there or holds nothing may be left out; what cannot be read or written fails. */
async function copyIfThere(from: string, to: string): Promise<void> {
  if ((await lstat(from).catch(ifAbsent(null))) !== null) await copyData(from, to);
}

const copyData = (from: string, to: string): Promise<void> =>
  cp(from, to, { recursive: true, verbatimSymlinks: true, filter: isCopied });

/**
 * Puts commits into a bundle, less those of the default branch. Any other branch of the remote may
 * be gone tomorrow, as that of a pull request is once it was merged, and with it what the bundle
 * would build on.
 */
async function bundle(
  git: Git,
  borrower: Borrower,
  refs: Readonly<Record<string, string>>,
  known: readonly string[],
  file: string,
): Promise<void> {
  const where = borrower.at();
  await git.run(where, ["update-ref", "--stdin"], {
    input: Object.entries(refs)
      .map(([ref, id]) => `create ${ref} ${id}\n`)
      .join(""),
  });
  await git.run(where, ["bundle", "create", "--quiet", file, "--stdin"], {
    input: `${[...Object.keys(refs), ...new Set(known)].join("\n")}\n`,
    minutes: 20,
  });
  await git.run(where, ["bundle", "verify", "--quiet", file], { minutes: 20 });
}

/**
 * Lines that leave out what the default branch has; where nobody knows which that is, what any
 * branch of the remote has.
 */
async function lastingCommits(
  layout: Layout,
  defaultBranch: string | null,
  known: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const branch =
    defaultBranch ??
    (layout.kind === "worktree" ? (await branchOf(layout.clone)).slice("refs/heads/".length) : "");
  const lasting = known.get(`refs/remotes/origin/${branch}`);
  return (lasting === undefined ? [...known.values()] : [lasting]).map((id) => `^${id}`);
}

/**
 * Branches, tags and the stash of a clone of its own go with it, under `refs/salvage/own/`; those
 * of a worktree stay in the shared clone.
 */
async function ownRefs(
  layout: Layout,
  { common }: Records,
): Promise<Readonly<Record<string, string>>> {
  if (layout.kind !== "clone") return {};
  const found = await readRefs(common, ["refs/heads/", "refs/tags/", "refs/stash", "refs/notes/"]);
  return Object.fromEntries(
    [...found].map(([name, id]) => [name.replace("refs/", "refs/salvage/own/"), id]),
  );
}

/** Commits that were checked out here, and are on no branch of the remote. */
async function unpushedCommits(
  git: Git,
  layout: Layout,
  records: Records,
  borrower: Borrower,
): Promise<readonly string[]> {
  const { own, common } = records;
  const walked =
    layout.kind === "clone"
      ? await readLogs(join(common, "logs"))
      : await readLog(join(own, "logs", "HEAD"));
  const special = await Promise.all(
    [
      "ORIG_HEAD",
      "MERGE_HEAD",
      "CHERRY_PICK_HEAD",
      "REBASE_HEAD",
      "rebase-merge/autostash",
      "rebase-apply/autostash",
    ].map((name) => readIds(join(own, name))),
  );
  const head = (await readHead(records))?.commit ?? null;
  const ids = new Set([
    ...(head === null ? [] : [head]),
    ...special.flat(),
    ...Object.values(await ownRefs(layout, records)),
    ...walked,
  ]);
  const input = [...ids].map((id) => `${id}\n`).join("");
  const fresh = await git.run(
    borrower.at(),
    ["rev-list", "--ignore-missing", "--no-walk=unsorted", "--stdin"],
    { input },
  );
  const missing = new Set(
    (
      await git.run(
        borrower.at(),
        [
          "rev-list",
          "--ignore-missing",
          "--stdin",
          "--not",
          "--remotes=origin",
          "--glob=refs/loop/pull/*",
        ],
        { input },
      )
    ).split("\n"),
  );
  return fresh.split("\n").filter((id) => id !== "" && missing.has(id));
}

/** Brings a folder and all that is in it to the disk: what was saved from is removed next. */
async function flush(path: string): Promise<void> {
  const stat = await lstat(path);
  if (!stat.isFile() && !stat.isDirectory()) return;
  if (stat.isDirectory()) for (const name of await readdir(path)) await flush(join(path, name));
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
