import { copyFile, lstat, mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Ref } from "@loopwork/core";
import { formatRef } from "@loopwork/core/refs";
import type { Git } from "./git.ts";
import { refuseLossInside } from "./inner-repositories.ts";
import { type Layout, slugOf } from "./layout.ts";
import { type Snapshot, takeSnapshot } from "./snapshot.ts";
import { writeDurably } from "./registry.ts";
import { recordOf } from "./worktree-record.ts";

/** What is saved, for whom, and where to. `stamp` is milliseconds since 1970. */
export type SalvageRequest = { readonly workItem: Ref; readonly layout: Layout; readonly stateRoot: string; readonly stamp: number };

/** Most commits of a checkout's own history that are named in a bundle. Older ones are reachable from newer ones as a rule. */
const mostCommits = 500;

/**
 * Saves what would vanish with a checkout (decisions.md 9): files that are not committed, what was staged, and every
 * commit that was ever checked out there and is on no remote branch. Ignored files are not saved. Returns the folder with
 * `work.bundle`, `index` and `salvage.json`, or null when nothing would vanish. Rejects when it cannot be saved whole.
 */
export async function salvage(git: Git, request: SalvageRequest): Promise<string | null> {
  const { layout, stateRoot } = request;
  const name = `${slugOf(request.workItem)}-${new Date(request.stamp).toISOString().replaceAll(/[:.]/g, "-")}`;
  const gitDir = join(stateRoot, "salvage", `${name}.borrower`);
  await sweep(join(stateRoot, "salvage"), request.stamp);
  try {
    await refuseLossInside(git, layout);
    const snapshot = await takeSnapshot(git, layout, gitDir);
    const unpushed = await unpushedCommits(git, layout);
    if (!snapshot.dirty && unpushed.length === 0) return null;
    return await keep(git, request, { name, snapshot, unpushed });
  } finally {
    await rm(gitDir, { recursive: true, force: true });
  }
}

type Kept = { readonly name: string; readonly snapshot: Snapshot; readonly unpushed: readonly string[] };

/** Removes what an earlier life of ours was killed over. Another repository's release may be at work, so only what is an hour old goes. */
async function sweep(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith(".partial") && !name.endsWith(".borrower")) continue;
    const stat = await lstat(join(folder, name)).catch(() => null);
    if (stat !== null && now - stat.mtimeMs > 3_600_000) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** Writes everything next to its place, checks it, and moves it there in one step. */
async function keep(git: Git, { workItem, layout, stateRoot, stamp }: SalvageRequest, { name, snapshot, unpushed }: Kept): Promise<string> {
  const folder = join(stateRoot, "salvage", name);
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true, mode: 0o700 });
  const bundle = join(partial, "work.bundle");
  const refs = { "refs/salvage/head": snapshot.head, "refs/salvage/index": snapshot.index, "refs/salvage/work": snapshot.work, ...Object.fromEntries(unpushed.map((id, at) => [`refs/salvage/commit-${at}`, id])) };
  const env = { GIT_DIR: snapshot.gitDir };
  await git.run(layout.checkout, ["update-ref", "--stdin"], { env, input: Object.entries(refs).map(([ref, id]) => `create ${ref} ${id}\n`).join("") });
  const known = (await git.run(layout.clone, ["for-each-ref", "--format=^%(objectname)", "refs/remotes/origin/"])).split("\n").filter((line) => line !== "");
  await git.run(layout.checkout, ["bundle", "create", "--quiet", bundle, "--stdin"], { env, input: `${[...Object.keys(refs), ...new Set(known)].join("\n")}\n`, minutes: 20 });
  await git.run(layout.checkout, ["bundle", "verify", "--quiet", bundle], { env, minutes: 20 });
  const record = await recordOf(layout);
  await copyFile(join(record, "index"), join(partial, "index")).catch(() => undefined);
  const branch = (await readFile(join(record, "HEAD"), "utf8").catch(() => "")).trim();
  const saved = { version: 1, workItem: formatRef(workItem), checkout: layout.checkout, clone: layout.clone, savedAt: new Date(stamp).toISOString(), head: snapshot.head, headFile: branch, refs, ignoredFiles: "not saved" };
  await writeDurably(join(partial, "salvage.json"), JSON.stringify(saved, null, 2));
  await flush(bundle);
  await rename(partial, folder);
  return folder;
}

/** Commits that were checked out here, newest first, and are on no branch of the remote. */
async function unpushedCommits(git: Git, layout: Layout): Promise<readonly string[]> {
  const walked = await git.run(layout.checkout, ["reflog", "show", "--format=%H", "HEAD"]).catch(() => "");
  const special = await Promise.all(["HEAD", "ORIG_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REBASE_HEAD"].map((name) => git.run(layout.checkout, ["rev-parse", "--verify", "--quiet", `${name}^{commit}`]).catch(() => "")));
  const ids = [...new Set([...special, ...walked.split("\n")].map((line) => line.trim()).filter((line) => line !== ""))].slice(0, mostCommits);
  const fresh = await git.run(layout.checkout, ["rev-list", "--ignore-missing", "--no-walk=unsorted", ...ids, "--"]);
  const missing = new Set((await git.run(layout.checkout, ["rev-list", "--ignore-missing", ...ids, "--not", "--remotes=origin", "--"])).split("\n"));
  return fresh.split("\n").filter((id) => id !== "" && missing.has(id));
}

async function flush(file: string): Promise<void> {
  const handle = await open(file, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
