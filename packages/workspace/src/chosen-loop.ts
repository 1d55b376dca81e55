import { join } from "node:path";
import { type BranchFacts, usualBases } from "@loopwork/core/manifest";
import { smallText } from "./plain-file.ts";
import { readHead, readRefs, type Records } from "./records.ts";

/** What the records of a work tree say of its branches, read as data. */
export async function branchFacts({ own, common }: Records): Promise<BranchFacts> {
  const named = await smallText(join(common, "refs/remotes/origin/HEAD"));
  return {
    refs: await readRefs(common, ["refs/remotes/", ...usualBases]),
    remoteDefault: named?.startsWith("ref: ") === true ? named.slice("ref: ".length) : null,
    cloneBranch: own === common ? null : ((await readHead({ own: common, common }))?.ref ?? null),
    head: (await readHead({ own, common }))?.commit ?? null,
  };
}
