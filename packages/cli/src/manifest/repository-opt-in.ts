import {
  baseCommit,
  baseRemote,
  type BranchFacts,
  configListing,
  consentListing,
  remotesIn,
  tracksConsent,
  usualBases,
} from "@loopwork/core/config";
import { askGit } from "../git/ask-git.ts";

/**
 * Whether the repository around a folder has chosen loop, by the same rule as in checkouts of the
 * service.
 */
export function hasChosenLoop(folder: string): boolean {
  const base = baseCommit(branchFacts(folder));
  return base !== null && tracksConsent(askGit(consentListing(base), folder) ?? "");
}

function branchFacts(folder: string): BranchFacts {
  const format = "--format=%(refname) %(objectname) %(symref)";
  const rows = (askGit(["for-each-ref", format, "refs/remotes/", ...usualBases], folder) ?? "")
    .split("\n")
    .map((row) => row.split(" "));
  const [own, common] =
    askGit(["rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir"], folder)
      ?.trimEnd()
      .split("\n") ?? [];
  const isWorktree = own !== undefined && common !== undefined && own !== common;
  const branch = isWorktree
    ? askGit([`--git-dir=${common}`, "symbolic-ref", "--quiet", "HEAD"], folder)
    : null;
  const remotes = remotesIn(askGit(configListing("--local"), folder));
  const head = `refs/remotes/${baseRemote(remotes)}/HEAD`;
  const isOnBranch = askGit(["symbolic-ref", "--quiet", "HEAD"], folder) !== null;
  const checkedOut =
    askGit(["rev-parse", "--verify", "--quiet", "HEAD"], folder)?.trimEnd() ?? null;
  return {
    remotes,
    refs: new Map(
      rows.flatMap(([name = "", id = ""]) => (name === "" ? [] : [[name, id] as const])),
    ),
    remoteDefault: rows.find(([name]) => name === head)?.[2] ?? null,
    cloneBranch: branch?.trimEnd() ?? null,
    branchCommit: isOnBranch ? checkedOut : null,
  };
}
