import { join } from "node:path";
import { type CheckoutRequest, outside, say } from "@loopwork/core/ports";
import { branchRef, isBranchName, pullRef } from "./branch.ts";
import { WorkspaceError } from "./failure.ts";
import { notedAfter, readFetched, writeFetched } from "./fetched-note.ts";
import type { Making } from "./checkout-in-progress.ts";
import { smallText } from "./plain-file.ts";
import { readRef } from "./records.ts";
import { notFetched } from "./remote.ts";
import type { Base } from "./restore.ts";

/** The default branch: its commit as fetched, and as the clone itself has it. */
export type Default = {
  readonly branch: string;
  readonly target: string;
  readonly own: string | null;
};

/**
 * Commit that the checkout begins at: the request's head where the clone has it, else the default
 * branch; `head` says which.
 */
export async function findStart(
  making: Making,
): Promise<{ readonly commit: string; readonly head: boolean }> {
  const wanted = headOfRequest(making.request);
  const head = wanted === null ? null : await commitOf(making, wanted.ref);
  if (wanted !== null && head === null)
    making.notes.push(
      say`${outside(wanted.name)} is not on the remote any more; the checkout stands on the default branch`,
    );
  return head === null
    ? { commit: (await findDefault(making)).target, head: false }
    : { commit: head, head: true };
}

/**
 * The branch that the request names, if the remote has it; else the one that the remote says is its
 * default. Rejects for a remote without any commit.
 */
export async function findDefault(making: Making): Promise<Default> {
  const { remote, request } = making;
  const named = request.repository.defaultBranch;
  if (named !== null && isBranchName(named)) {
    const target = await fetchedAt(making, named);
    if (target !== null)
      return { branch: named, target, own: await commitOf(making, branchRef(named)) };
  }
  const branch = await askDefault(making);
  const target = isBranchName(branch) ? await fetchedAt(making, branch) : null;
  if (target === null)
    throw new WorkspaceError(
      "LOOP_E_WORKSPACE_EMPTY",
      `${remote.url} has no commit yet.`,
      "Push a first commit to its default branch.",
    );
  return { branch, target, own: await commitOf(making, branchRef(branch)) };
}

/** The branch that the remote says is its default, empty for none. Asked once for a checkout. */
async function askDefault({ git, remote, asked }: Making): Promise<string> {
  if (asked.defaultBranch !== null) return asked.defaultBranch;
  const answer = await git
    .run({ kind: "nowhere" }, ["ls-remote", "--symref", "--end-of-options", remote.url, "HEAD"], {
      protocol: remote.protocol,
    })
    .catch((error: unknown) => {
      throw notFetched(remote, error);
    });
  const line = answer.split("\n").find((each) => each.startsWith("ref: refs/heads/")) ?? "";
  asked.defaultBranch = line.slice("ref: refs/heads/".length).split("\t")[0] ?? "";
  return asked.defaultBranch;
}

/**
 * Notes where the branches are that something is decided by, from what was fetched and not from
 * what the clone says: a session can change its references. `isNew` is false where an earlier fetch
 * served this checkout as well.
 */
export async function noteFetched(making: Making, isNew: boolean): Promise<void> {
  const { layout, request, fetches } = making;
  const refs = fetches.last(layout.clone);
  const at = (branch: string): string | null =>
    isBranchName(branch) ? (refs?.get(trackingRef(branch)) ?? null) : null;
  const before = await readFetched(layout.checkout);
  const named = request.repository.defaultBranch;
  const isThere = named !== null && at(named) !== null;
  const asked = (): Promise<string | null> => askDefault(making).catch(() => before.defaultBranch);
  const defaultBranch = isThere ? named : await asked();
  const base = request.restoreFrom?.branch ?? null;
  const wanted = [defaultBranch, base].filter((each) => each !== null);
  const branches = notedAfter(before, wanted, at, isNew);
  await writeFetched(layout.checkout, before, { defaultBranch, branches });
}

/** The commit that a branch of the remote was fetched at. */
async function fetchedAt(making: Making, branch: string): Promise<string | null> {
  const { branches } = await readFetched(making.layout.checkout);
  return branches.get(branch)?.[0] ?? commitOf(making, trackingRef(branch));
}

/**
 * Commit of the branch that agent and hook configuration comes from: the base, else the default
 * branch.
 */
export async function findBase(making: Making, branch: string | null): Promise<Base> {
  const commit = branch !== null && isBranchName(branch) ? await fetchedAt(making, branch) : null;
  if (commit !== null && branch !== null) return { commit, branch };
  const found = await findDefault(making);
  return { commit: found.target, branch: found.branch };
}

/**
 * Where the clone keeps the head that the request names, and what to call it; null for the default
 * branch.
 */
function headOfRequest({
  headBranch,
  headPull,
}: CheckoutRequest): { readonly ref: string; readonly name: string } | null {
  if (headPull != null)
    return { ref: pullRef(headPull), name: `the head of pull request #${headPull}` };
  return headBranch === null
    ? null
    : { ref: trackingRef(headBranch), name: `the branch ${headBranch}` };
}

/**
 * The branch that a clone of ours is on, from the small file that says so; empty when it is on
 * none.
 */
export async function branchOf(clone: string): Promise<string> {
  const text = (await smallText(join(clone, ".git", "HEAD"))) ?? "";
  return text.startsWith("ref: ") ? text.slice("ref: ".length).trim() : "";
}

async function commitOf(making: Making, ref: string): Promise<string | null> {
  const isRemote = ref.startsWith("refs/remotes/origin/");
  const refs = isRemote ? making.fetches.last(making.lender.layout.clone) : null;
  if (refs !== null) return refs.get(ref) ?? null;
  const known = making.ids.get(ref);
  if (known !== undefined) return known;
  const id = await readRef(join(making.layout.clone, ".git"), ref);
  making.ids.set(ref, id);
  return id;
}

const trackingRef = (branch: string): string =>
  branchRef(branch).replace("refs/heads/", "refs/remotes/origin/");
