import { dirname, join } from "node:path";
import {
  baseCommit,
  baseRemote,
  type BranchFacts,
  configListing,
  remotesIn,
  usualBases,
} from "@loopwork/core/config";
import { readFetched } from "./fetched-note.ts";
import type { Git } from "./git.ts";
import { lentTo } from "./borrowed-objects.ts";
import { isCheckout } from "./checkout-notes.ts";
import { readPlain, smallText } from "./plain-file.ts";
import { isRefName, readHead, readRefs, type Records } from "./records.ts";

/** The commit of the base branch, and the repository that has its objects. */
export type BaseCommit = { readonly commit: string; readonly common: string };

/**
 * Where the base branch of a work tree is; null where nobody can tell. In a checkout of ours a
 * session can write every reference, so that only what we fetched ourselves counts: what we noted,
 * or what the shared clone says from which a clone of its own borrows. In a folder of the
 * operator's nothing is fetched, and its references say it.
 */
export async function baseOf(git: Git, records: Records): Promise<BaseCommit | null> {
  const [lent] = await lentTo(records.common);
  const common = lent === undefined ? records.common : dirname(lent);
  if (!isCheckout(records.workTree))
    return withCommit(
      common,
      baseCommit(await branchFacts(records, await remotesOf(git, records))),
    );
  const { defaultBranch, branches } = await readFetched(records.workTree);
  const noted = defaultBranch === null ? undefined : branches.get(defaultBranch)?.[0];
  if (noted !== undefined) return { commit: noted, common };
  if (lent === undefined) return null;
  return withCommit(common, baseCommit(await branchFacts({ own: common, common }, ["origin"])));
}

function withCommit(common: string, commit: string | null): BaseCommit | null {
  return commit === null ? null : { commit, common };
}

/** What the records of a work tree say of its branches, read as data. */
async function branchFacts(
  { own, common }: Pick<Records, "own" | "common">,
  remotes: BranchFacts["remotes"],
): Promise<BranchFacts> {
  const name = `refs/remotes/${baseRemote(remotes)}/HEAD`;
  const named = isRefName(name) ? await smallText(join(common, name)) : null;
  const head = await readHead({ own, common });
  return {
    remotes,
    refs: await readRefs(common, ["refs/remotes/", ...usualBases]),
    remoteDefault: named?.startsWith("ref: ") === true ? named.slice("ref: ".length) : null,
    cloneBranch: own === common ? null : ((await readHead({ own: common, common }))?.ref ?? null),
    branchCommit: head?.ref == null ? null : head.commit,
  };
}

/** Git reads the text of the configuration alone, so that nothing in it decides what git does. */
async function remotesOf(git: Git, { common }: Records): Promise<BranchFacts["remotes"]> {
  const input = await readPlain(join(common, "config"), 1024 ** 2);
  if (typeof input === "string") return input === "none" ? [] : null;
  return remotesIn(await git.run({ kind: "nowhere" }, configListing("--file=-"), { input }));
}
