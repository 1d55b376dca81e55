import { cp, lstat, mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Ref } from "@loopwork/core";
import { formatRef } from "@loopwork/core/refs";
import { ifAbsent } from "./absent.ts";
import { copyIndex } from "./borrower.ts";
import type { Git } from "./git.ts";
import { refuseLossInside } from "./inner-repositories.ts";
import { type Layout, slugOf } from "./layout.ts";
import { toList } from "./lists.ts";
import { decodeName, encodeName } from "./names.ts";
import type { Registered } from "./registry.ts";
import { branchOf } from "./refs.ts";
import { readRestored } from "./restored.ts";
import { formatRights } from "./rights.ts";
import { forgetSaved, salvageFolder, writeSaved } from "./saved.ts";
import { type Snapshot, takeSnapshot } from "./snapshot.ts";
import { recordOf } from "./worktree-record.ts";

/** What is saved, for whom, and where to. `stamp` is milliseconds since 1970, `days` how long older ones are kept. */
export type SalvageRequest = { readonly workItem: Ref; readonly layout: Layout; readonly registered: Registered; readonly stateRoot: string; readonly stamp: number; readonly days: number };

/** Files and folders of git's record of a work tree that hold something half done: a merge, a rebase, a search. */
export const stateNames: readonly string[] = ["MERGE_HEAD", "MERGE_MSG", "MERGE_MODE", "MERGE_RR", "SQUASH_MSG", "COMMIT_EDITMSG", "ORIG_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD", "AUTO_MERGE", "BISECT_LOG", "BISECT_START", "BISECT_TERMS", "BISECT_NAMES", "BISECT_EXPECTED_REV", "rebase-merge", "rebase-apply", "sequencer", "logs/HEAD"];

/**
 * Saves what would vanish with a checkout (decisions.md 9): files that are not committed, what was staged, and every
 * commit that was ever checked out there and is on no remote branch. Ignored files are not saved. Returns the folder with
 * `work.bundle`, `index` and `salvage.json`, or null when nothing would vanish. Rejects when it cannot be saved whole.
 */
export async function salvage(git: Git, request: SalvageRequest): Promise<string | null> {
  const { layout, stateRoot } = request;
  const name = `${slugOf(request.workItem)}-${new Date(request.stamp).toISOString().replaceAll(/[:.]/g, "-")}`;
  await forgetSaved(stateRoot, request.days, request.stamp);
  const free = await freeName(salvageFolder(stateRoot), name);
  const gitDir = join(salvageFolder(stateRoot), `${free}.borrower`);
  try {
    await refuseLossInside(git, layout);
    const unpushed = await unpushedCommits(git, layout);
    const snapshot = await takeSnapshot(git, layout, gitDir, unpushed.length > 0);
    if (snapshot === null || (!snapshot.dirty && unpushed.length === 0)) return null;
    return await keep(git, request, { name: free, snapshot, unpushed });
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

type Kept = { readonly name: string; readonly snapshot: Snapshot; readonly unpushed: readonly string[] };

/** Writes everything next to its place, checks it, and moves it there in one step. */
async function keep(git: Git, request: SalvageRequest, { name, snapshot, unpushed }: Kept): Promise<string> {
  const { layout, registered, stamp } = request;
  const folder = join(salvageFolder(request.stateRoot), name);
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true, mode: 0o700 });
  const refs = { "refs/salvage/head": snapshot.head, "refs/salvage/index": snapshot.index, "refs/salvage/work": snapshot.work, ...Object.fromEntries(unpushed.map((id, at) => [`refs/salvage/commit-${at}`, id])), ...(await ownRefs(git, layout)) };
  await bundle(git, request, snapshot.gitDir, refs, join(partial, "work.bundle"));
  const record = await recordOf(layout);
  await copyIndex(record, join(partial, "index"), partial);
  await writeFile(join(partial, "raw"), encodeName(toList(snapshot.raw)));
  await writeFile(join(partial, "rights.json"), formatRights(snapshot.rights));
  for (const each of stateNames) await copyIfThere(join(record, each), join(partial, "state", each));
  if (layout.kind === "clone") await copyIfThere(join(record, "logs", "refs", "stash"), join(partial, "stash-log"));
  const restored = await readRestored(record);
  const headFile = decodeName(await readFile(join(record, "HEAD"))).trim();
  await writeSaved(partial, { workItem: formatRef(request.workItem), savedAt: stamp, restoredAt: null, registered, head: snapshot.head, headFile, refs, restoredFrom: restored === null ? null : { commit: restored.base, branch: restored.branch } });
  await flush(partial);
  await rename(partial, folder);
  return folder;
}

/** Only what is not there may be left out; what cannot be read or written fails. */
async function copyIfThere(from: string, to: string): Promise<void> {
  if ((await lstat(from).catch(ifAbsent(null))) !== null) await cp(from, to, { recursive: true, verbatimSymlinks: true });
}

/**
 * Puts commits into a bundle, less those of the default branch. Any other branch of the remote may be gone tomorrow, as that of
 * a pull request is once it was merged, and with it what the bundle would build on.
 */
async function bundle(git: Git, { layout, registered }: SalvageRequest, gitDir: string, refs: Readonly<Record<string, string>>, file: string): Promise<void> {
  const env = { GIT_DIR: gitDir };
  await git.run(layout.checkout, ["update-ref", "--stdin"], { env, input: Object.entries(refs).map(([ref, id]) => `create ${ref} ${id}\n`).join("") });
  const known = await lastingCommits(git, layout, registered.defaultBranch);
  await git.run(layout.checkout, ["bundle", "create", "--quiet", file, "--stdin"], { env, input: `${[...Object.keys(refs), ...new Set(known)].join("\n")}\n`, minutes: 20 });
  await git.run(layout.checkout, ["bundle", "verify", "--quiet", file], { env, minutes: 20 });
}

/** Lines that leave out what the default branch has; where nobody knows which that is, what any branch of the remote has. */
async function lastingCommits(git: Git, layout: Layout, defaultBranch: string | null): Promise<readonly string[]> {
  const branch = defaultBranch ?? (layout.kind === "worktree" ? (await branchOf(layout.clone)).slice("refs/heads/".length) : "");
  const rows = (await git.run(layout.clone, ["for-each-ref", "--format=%(objectname) %(refname)", "refs/remotes/origin/", "refs/loop/pull/"])).split("\n").filter((row) => row !== "");
  const lasting = rows.filter((row) => row.slice(row.indexOf(" ") + 1) === `refs/remotes/origin/${branch}`);
  return (lasting.length === 0 ? rows : lasting).map((row) => `^${row.slice(0, row.indexOf(" "))}`);
}

/** Branches, tags and the stash of a clone of its own go with it, under `refs/salvage/own/`; those of a worktree stay in the shared clone. */
async function ownRefs(git: Git, layout: Layout): Promise<Readonly<Record<string, string>>> {
  if (layout.kind !== "clone") return {};
  const rows = await git.run(layout.checkout, ["for-each-ref", "--format=%(refname) %(objectname)", "refs/heads", "refs/tags", "refs/stash", "refs/notes"]);
  return Object.fromEntries(rows.split("\n").flatMap((row) => (row === "" ? [] : [[row.slice(0, row.lastIndexOf(" ")).replace("refs/", "refs/salvage/own/"), row.slice(row.lastIndexOf(" ") + 1)]])));
}

/** Commits that were checked out here, newest first, and are on no branch of the remote. */
async function unpushedCommits(git: Git, layout: Layout): Promise<readonly string[]> {
  const walked = await git.run(layout.checkout, ["reflog", "show", "--format=%H", ...(layout.kind === "clone" ? ["--all"] : ["HEAD"])]);
  const special = await Promise.all(["HEAD", "ORIG_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REBASE_HEAD"].map((name) => git.run(layout.checkout, ["rev-parse", "--verify", "--quiet", `${name}^{commit}`], { answers: [1] })));
  const record = await recordOf(layout);
  const aside = await Promise.all(["rebase-merge", "rebase-apply"].map((name) => readFile(join(record, name, "autostash"), "utf8").catch(ifAbsent(""))));
  const ids = new Set([...special, ...aside, ...Object.values(await ownRefs(git, layout)), ...walked.split("\n")].map((line) => line.trim()).filter((line) => /^[0-9a-f]{40,64}$/.test(line)));
  const input = [...ids].map((id) => `${id}\n`).join("");
  const fresh = await git.run(layout.checkout, ["rev-list", "--ignore-missing", "--no-walk=unsorted", "--stdin"], { input });
  const missing = new Set((await git.run(layout.checkout, ["rev-list", "--ignore-missing", "--stdin", "--not", "--remotes=origin", "--glob=refs/loop/pull/*"], { input })).split("\n"));
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
