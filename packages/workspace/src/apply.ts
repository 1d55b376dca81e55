import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CheckoutRequest } from "@loopwork/core/ports";
import { branchRef, isBranchName } from "./branch.ts";
import { cleanConfig, setOrigin } from "./clean-config.ts";
import { complaintOf, WorkspaceError } from "./failure.ts";
import type { Git } from "./git.ts";
import type { Layout } from "./layout.ts";
import { fetchedMark } from "./observe.ts";
import type { Step } from "./plan.ts";
import type { Remote } from "./remote.ts";
import { makeParent } from "./root.ts";
import { forgetWorktree } from "./worktree-record.ts";

/** One checkout in the making. `notes` collects what a person may want to know. */
export type Making = { readonly git: Git; readonly layout: Layout; readonly remote: Remote; readonly request: CheckoutRequest; readonly notes: string[] };

/** Takes one step. Throws `WorkspaceError`; steps can be taken again after a crash. */
export async function applyStep(step: Step, making: Making): Promise<void> {
  switch (step) {
    case "make-clone":
      return makeClone(making);
    case "clean-config":
      making.notes.push(...(await cleanConfig(making.git, making.layout.clone, making.remote.url)));
      return;
    case "fetch":
      return fetchAll(making);
    case "follow-default":
      return followDefault(making);
    case "forget-worktree":
      return forgetWorktree(making.layout);
    case "register":
      return register(making);
    case "write-files":
      await making.git.run(making.layout.checkout, ["reset", "--quiet", "--hard"], { minutes: 20 });
      return;
  }
}

/** An empty repository that knows its remote. Nothing of `git clone` is used: it would read more than it has to. */
async function makeClone({ git, layout, remote, request }: Making): Promise<void> {
  const branch = request.repository.defaultBranch;
  const initial = branch !== null && isBranchName(branch) ? branch : "main";
  await makeParent(layout.clone);
  await mkdir(layout.clone, { recursive: true, mode: 0o700 });
  await git.run(layout.clone, ["init", "--quiet", `--initial-branch=${initial}`]);
  await setOrigin(git, layout.clone, remote.url);
}

/** Brings every branch of the remote, by its address: what the clone's configuration says of remotes is not asked (W07). */
async function fetchAll(making: Making): Promise<void> {
  const { git, layout, remote } = making;
  const args = ["fetch", "--quiet", "--prune", "--no-recurse-submodules", "--no-write-fetch-head", "--end-of-options", remote.url, "+refs/heads/*:refs/remotes/origin/*"];
  await git.run(layout.clone, args, { protocol: remote.protocol, minutes: 30 }).catch((error: unknown) => {
    throw new WorkspaceError("LOOP_E_WORKSPACE_FETCH", `${remote.url} could not be fetched: ${complaintOf(error instanceof Error ? error.cause : error)}`, `Try it by hand: git ls-remote ${remote.url}. Logins are your own git's.`);
  });
  await writeFile(join(layout.clone, ".git", fetchedMark), "");
}

/** Moves the shared clone to the newest commit of the default branch; somebody's own changes there stay untouched. */
async function followDefault(making: Making): Promise<void> {
  const { git, layout, notes } = making;
  const { branch, target, own } = await findDefault(making);
  const ref = branchRef(branch);
  if (own === null) {
    await git.run(layout.clone, ["update-ref", ref, target]);
    await git.run(layout.clone, ["symbolic-ref", "HEAD", ref]);
    await git.run(layout.clone, ["reset", "--quiet", "--hard"], { minutes: 20 });
    return;
  }
  const at = (await git.run(layout.clone, ["symbolic-ref", "--quiet", "HEAD"]).catch(() => "")).trim();
  if (at === ref && own === target) return;
  const forward = await git.run(layout.clone, ["merge-base", "--is-ancestor", own, target]).then(() => true, () => false);
  if (at !== ref || !forward) return void notes.push(`the shared clone ${layout.clone} was left as it is: it is not on ${branch} as fetched`);
  await git.run(layout.clone, ["reset", "--quiet", "--keep", target], { minutes: 20 }).catch(() => notes.push(`the shared clone ${layout.clone} was left as it is: somebody changed files there`));
}

/** Registers a detached worktree without its files; both calls of git are short (performance: worktrees). */
async function register(making: Making): Promise<void> {
  const { git, layout, request, notes } = making;
  const wanted = request.headBranch;
  const head = wanted === null ? null : ((await commitsOf(making, wanted)).target ?? null);
  if (wanted !== null && head === null) notes.push(`the branch ${wanted} is not on the remote any more; the checkout stands on the default branch`);
  const start = head ?? (await findDefault(making)).target;
  await makeParent(layout.checkout);
  await git.run(layout.clone, ["worktree", "add", "--no-checkout", "--detach", "--end-of-options", layout.checkout, start]);
}

type Default = { readonly branch: string; readonly target: string; readonly own: string | null };

/** The branch that the request names, if the remote has it; else the one that the remote says is its default. */
async function findDefault(making: Making): Promise<Default> {
  const { git, layout, remote, request } = making;
  const named = request.repository.defaultBranch;
  if (named !== null && isBranchName(named)) {
    const { target, own } = await commitsOf(making, named);
    if (target !== null) return { branch: named, target, own };
  }
  const answer = await git.run(layout.clone, ["ls-remote", "--symref", "--end-of-options", remote.url, "HEAD"], { protocol: remote.protocol }).catch(() => "");
  const line = answer.split("\n").find((each) => each.startsWith("ref: refs/heads/")) ?? "";
  const branch = line.slice("ref: refs/heads/".length).split("\t")[0] ?? "";
  const { target, own } = isBranchName(branch) ? await commitsOf(making, branch) : { target: null, own: null };
  if (target === null) throw emptyRemote(remote.url);
  return { branch, target, own };
}

/** Commit of a branch as it was last fetched, and as the clone itself has it; null where there is no such branch. */
async function commitsOf({ git, layout }: Making, branch: string): Promise<{ readonly target: string | null; readonly own: string | null }> {
  const own = branchRef(branch);
  const fetched = own.replace("refs/heads/", "refs/remotes/origin/");
  const listed = await git.run(layout.clone, ["for-each-ref", "--format=%(refname) %(objectname)", own, fetched]);
  const rows = new Map(listed.split("\n").map((line) => [line.slice(0, line.lastIndexOf(" ")), line.slice(line.lastIndexOf(" ") + 1)]));
  return { target: rows.get(fetched) ?? null, own: rows.get(own) ?? null };
}

const emptyRemote = (url: string): WorkspaceError => new WorkspaceError("LOOP_E_WORKSPACE_EMPTY", `${url} has no commit yet.`, "Push a first commit to its default branch.");
