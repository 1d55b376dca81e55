import { lstat, rm } from "node:fs/promises";
import { join } from "node:path";
import { outside, say } from "@loopwork/core/ports";
import { ifAbsent } from "./if-absent.ts";
import { branchRef, isBranchName, pullRef } from "./branch.ts";
import { refuseTooLarge } from "./checkout-size-limit.ts";
import { changeHead } from "./change-refs.ts";
import { cleanConfig } from "./clean-config.ts";
import { fetched, fetchInto, moveRefs, type Refs } from "./fetch.ts";
import { readFetched } from "./fetched-note.ts";
import type { Making } from "./checkout-in-progress.ts";
import { moveClone, switchClone } from "./move-clone.ts";
import { newClone } from "./new-clone.ts";
import { fetchedMark, unwrittenMark } from "./observe.ts";
import { readPlain } from "./plain-file.ts";
import { putFile } from "./put-file.ts";
import type { Step } from "./plan.ts";
import { findWarm, moveUntouched, removeStrays, takeWarm, warmStart } from "./pool.ts";
import { inFolder } from "./no-follow-folder.ts";
import { readRefs, refuseLinkedRecords } from "./records.ts";
import { branchOf, findDefault, findStart, noteFetched } from "./refs.ts";
import { notFetched } from "./remote.ts";
import { allowOwnConfig } from "./restore.ts";
import { forgetRestored } from "./restored-files.ts";
import { writeHead } from "./write-files.ts";
import { forgetWorktree, makeWorktree, noteFolder, recordOf } from "./worktree-record.ts";

/** Takes one step. Throws `WorkspaceError`; steps can be taken again after a crash. */
export async function applyStep(step: Step, making: Making): Promise<void> {
  switch (step) {
    case "make-clone":
      return makeClone(making);
    case "clean-config":
      making.hardened.push(
        ...(await cleanConfig(making.git, making.layout, making.remote.url, making.clean)),
      );
      return;
    case "fetch":
      return making.layout.kind === "clone" ? borrow(making) : fetch(making);
    case "follow-default":
      return followDefault(making);
    case "forget-worktree":
      return forgetWorktree(making.layout);
    case "register":
      return register(making);
    case "write-files":
      return writeFiles(making);
  }
}

/**
 * An empty repository that knows its remote. Nothing of `git clone` is used: it would read more
 * than it has to.
 */
async function makeClone({ git, layout, remote, request }: Making): Promise<void> {
  const branch = request.repository.defaultBranch;
  const initial = branch !== null && isBranchName(branch) ? branch : "main";
  await newClone(git, layout.clone, initial, remote.url);
}

/** What the remote has, and meanwhile a look at the worktree that may be used. */
async function fetch(making: Making): Promise<void> {
  const warm = findWarm(making, making.layout).catch(() => null);
  try {
    await fetchBranches(making, mostMinutes);
    await fetchPull(making);
  } finally {
    making.warm = await warm;
  }
}

async function fetchBranches(making: Making, minutes: number): Promise<void> {
  const { fetches, layout, askedAt } = making;
  const isNew = await fetches.since(layout.clone, askedAt, () => fetchAll(making, minutes));
  await noteFetched(making, isNew);
}

/**
 * Notes what a fetch brings for a checkout that stands, where nothing is noted of its repository:
 * it is of an earlier version. A remote that didn't answer is left alone for a while, and none is
 * waited for as long as for a new checkout: work can go on without it.
 */
export async function noteStanding(making: Making): Promise<void> {
  const { layout, lender, fetches } = making;
  if ((await readFetched(layout.checkout)).defaultBranch !== null) return;
  if (fetches.failedLately(lender.layout.clone)) return;
  if (layout.kind === "worktree") return fetchBranches(making, fewMinutes);
  await lender.alone(async () => fetchBranches(await readyLender(making), fewMinutes));
}

const [mostMinutes, fewMinutes] = [30, 5];

/** The shared clone that a clone of its own borrows from, made where it isn't there. */
async function readyLender(making: Making): Promise<Making> {
  const { lender } = making;
  const lending: Making = { ...making, git: lender.git, layout: lender.layout };
  await refuseLinkedRecords(join(lender.layout.clone, ".git"));
  if (await lender.isAbsent()) await makeClone(lending);
  await applyStep("clean-config", lending);
  return lending;
}

/**
 * What the remote has, out of the shared clone, which is brought up to date for it: the refs are
 * copied, the objects stay where they are. A clone of its own costs little more than a worktree
 * that way.
 */
async function borrow(making: Making): Promise<void> {
  const { git, layout, lender, request, fetches } = making;
  const common = join(layout.clone, ".git");
  await lender.alone(async () => {
    await fetch(await readyLender(making));
    await writeAlternates(common, lender.objects);
    const before = await readRefs(common, fetched);
    const own = [...before].filter(([name]) => !name.startsWith("refs/remotes/origin/"));
    const pulls = request.headPull == null ? [] : [pullRef(request.headPull)];
    const pull = pulls.flatMap((ref) => {
      const id = making.ids.get(ref) ?? null;
      return id === null ? [] : [[ref, id] as const];
    });
    const all = [...(fetches.last(lender.layout.clone) ?? [])];
    const lent = all.filter(([name]) => !name.startsWith("refs/loop/"));
    await moveRefs(git, layout.clone, before, new Map([...own, ...lent, ...pull]));
  });
  await putFile(join(layout.clone, ".git", fetchedMark), "");
}

/**
 * For the git of the session: ours is told by where the clone stands (`lentTo`). What stood there
 * may be a link that a session left.
 */
async function writeAlternates(common: string, objects: string): Promise<void> {
  const put = (folder: string): Promise<void> =>
    putFile(join(folder, "alternates"), `${objects}\n`);
  await inFolder(common, ["objects", "info"], put, { make: 0o777 });
}

/** Brings every branch of the remote, by its address. */
async function fetchAll(making: Making, minutes: number): Promise<Refs> {
  const { layout, remote } = making;
  const all = "+refs/heads/*:refs/remotes/origin/*";
  const refs = await fetchInto(making, ["--prune"], all, minutes).catch((error: unknown) => {
    throw notFetched(remote, error);
  });
  await putFile(join(layout.clone, ".git", fetchedMark), "");
  return refs;
}

/**
 * Brings the head of a pull request from another repository, by its number: the host keeps it under
 * a name that its author cannot choose. A host that keeps none is no failure; the checkout then
 * stands on the base. What was fetched is kept in `ids`: a session may change what the clone says
 * of it.
 */
async function fetchPull(making: Making): Promise<void> {
  const { git, layout, remote, request } = making;
  const number = request.headPull ?? null;
  if (number === null) return;
  const ref = pullRef(number);
  const refspec = `+refs/pull/${number}/head:${ref}`;
  const got = await fetchInto(making, ["--no-tags"], refspec, mostMinutes).catch((error: unknown) =>
    notFetched(remote, error),
  );
  if (!(got instanceof Error)) return void making.ids.set(ref, got.get(ref) ?? null);
  const there = await git
    .run(
      { kind: "nowhere" },
      ["ls-remote", "--end-of-options", remote.url, `refs/pull/${number}/head`],
      { protocol: remote.protocol },
    )
    .catch(() => "unknown");
  if (there !== "") throw got;
  await git.changeRefs(layout.clone, new Map([[ref, { to: null }]]));
  making.ids.set(ref, null);
}

/**
 * Moves the shared clone to the newest commit of the default branch; somebody's own changes there
 * stay untouched.
 */
async function followDefault(making: Making): Promise<void> {
  const { git, layout, notes } = making;
  // Asked anew: somebody may have moved it since this checkout was registered.
  making.ids.clear();
  const { branch, target, own } = await findDefault(making);
  const ref = branchRef(branch);
  if (own === null) {
    await git.changeRefs(layout.clone, new Map([[ref, { to: target }]]));
    return firstOn(branch, target, making);
  }
  if ((await branchOf(layout.clone)) !== ref)
    return void notes.push(
      say`the shared clone ${outside(layout.clone)} was left as it is: it is not on ${outside(branch)}`,
    );
  if (own === target) return;
  const noted = (await readFetched(layout.checkout)).branches.get(branch) ?? [];
  if (await moveClone(making, layout.clone, ref, target, noted)) return;
  notes.push(
    say`the shared clone ${outside(layout.clone)} was left as it is: somebody has changes or commits there`,
  );
}

/**
 * Puts the shared clone on a branch that it did not have: its first, or the one that is the default
 * since.
 */
async function firstOn(branch: string, target: string, making: Making): Promise<void> {
  const { git, own, layout, notes } = making;
  const common = join(layout.clone, ".git");
  const hasFiles = await lstat(join(layout.clone, ".git", "index")).then(
    () => true,
    ifAbsent(false),
  );
  if (hasFiles && !(await switchClone(making, layout.clone, target)))
    return void notes.push(
      say`the shared clone ${outside(layout.clone)} was left as it is: somebody has changes there`,
    );
  await changeHead(layout.clone, branchRef(branch));
  if (hasFiles) return;
  await own(
    {
      common,
      workTree: layout.clone,
      purpose: "write-files",
      head: target,
      index: join(common, "index"),
      url: making.remote.url,
    },
    (where) => git.run(where, ["reset", "--quiet", "--hard"], { minutes: 20 }),
  );
}

/** Whether the shared clone has to be moved at all, from what is known of it already. */
export async function isBehind(making: Making): Promise<boolean> {
  const { branch, target, own } = await findDefault(making);
  return own !== target || (await branchOf(making.layout.clone)) !== branchRef(branch);
}

/**
 * Registers a detached work tree without its files; the calls of git are short (performance:
 * worktrees).
 */
async function register(making: Making): Promise<void> {
  const { git, layout, request } = making;
  await forgetRestored(layout.checkout);
  const { commit, head } = await findStart(making);
  const measure = (): Promise<void> =>
    refuseTooLarge(making, layout.clone, commit, layout.clone, making.budget, making.measured);
  // A warm worktree holds the default branch already; only a head of somebody's may bring more than
  // it.
  if (head || layout.kind === "clone") await measure();
  if (request.restoreFrom != null && head) await allowOwnConfig(git, layout);
  if (layout.kind === "worktree" && making.warm !== null) {
    await takeWarm(making.warm, layout, commit);
    return noteFolder(layout, making.warm.record);
  }
  if (layout.kind === "clone") await changeHead(layout.clone, commit);
  else await addWorktree(making, commit, head ? null : measure);
  const record = await recordOf(layout);
  await putFile(join(record, unwrittenMark), "");
  await noteFolder(layout, record);
}

async function addWorktree(
  { layout }: Making,
  commit: string,
  measure: (() => Promise<void>) | null,
): Promise<void> {
  await measure?.();
  await makeWorktree(layout, commit);
}

/**
 * Files of the commit that is checked out; the mark goes last, so that half of them is never taken
 * for all.
 */
async function writeFiles(making: Making): Promise<void> {
  const { layout, warm, remote, request } = making;
  const record = await recordOf(layout);
  const url = request.restoreFrom == null && remote.url;
  const start = await warmStart(record);
  const moved =
    start !== null &&
    warm?.untouched === true &&
    (await moveUntouched(making, layout, record, start, url));
  if (!moved) await writeHead(making, layout, start, url);
  if (!moved && start !== null) await removeStrays(making, layout, record);
  if (url === false && (await tracksLargeFiles(layout.checkout)))
    making.notes.push(
      say`large files that only this head has are pointers here, because nothing was downloaded for it; run git lfs pull if you need them`,
    );
  await rm(join(record, unwrittenMark), { force: true });
}

/** As far as the attributes at the root of a checkout say. */
async function tracksLargeFiles(checkout: string): Promise<boolean> {
  const attributes = await readPlain(join(checkout, ".gitattributes"), 1024 ** 2);
  return typeof attributes !== "string" && attributes.includes("filter=lfs");
}
