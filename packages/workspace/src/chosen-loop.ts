import { dirname, join } from "node:path";
import { baseCommit, type BranchFacts, usualBases } from "@loopwork/core/manifest";
import { readFetched } from "./fetched-note.ts";
import { lentTo } from "./lent.ts";
import { isCheckout } from "./notes.ts";
import { smallText } from "./plain-file.ts";
import { readHead, readRefs, type Records } from "./records.ts";

/** The commit of the base branch, and the repository that has its objects. */
export type BaseCommit = { readonly commit: string; readonly common: string };

/**
 * Where the base branch of a work tree is; null where nobody can tell. In a checkout of ours a
 * session can write every reference, so that only what we fetched ourselves counts: what we noted,
 * or what the shared clone says from which a clone of its own borrows. In a folder of the
 * operator's nothing is fetched, and its references say it.
 */
export async function baseOf(records: Records): Promise<BaseCommit | null> {
  const [lent] = await lentTo(records.common);
  const common = lent === undefined ? records.common : dirname(lent);
  if (!isCheckout(records.workTree))
    return withCommit(common, baseCommit(await branchFacts(records)));
  const { defaultBranch, branches } = await readFetched(records.workTree);
  const noted = defaultBranch === null ? undefined : branches.get(defaultBranch)?.[0];
  if (noted !== undefined) return { commit: noted, common };
  if (lent === undefined) return null;
  return withCommit(common, baseCommit(await branchFacts({ own: common, common })));
}

function withCommit(common: string, commit: string | null): BaseCommit | null {
  return commit === null ? null : { commit, common };
}

/** What the records of a work tree say of its branches, read as data. */
async function branchFacts({ own, common }: Pick<Records, "own" | "common">): Promise<BranchFacts> {
  const named = await smallText(join(common, "refs/remotes/origin/HEAD"));
  return {
    refs: await readRefs(common, ["refs/remotes/", ...usualBases]),
    remoteDefault: named?.startsWith("ref: ") === true ? named.slice("ref: ".length) : null,
    cloneBranch: own === common ? null : ((await readHead({ own: common, common }))?.ref ?? null),
    head: (await readHead({ own, common }))?.commit ?? null,
  };
}
