import { join } from "node:path";
import { consentPaths } from "@loopwork/core/manifest";
import { smallText } from "./plain-file.ts";
import { readHead, readRefs, type Records } from "./records.ts";

/** Lists the files by which people choose loop, in a commit. */
export function listConsent(commit: string): readonly string[] {
  return ["ls-tree", "-z", "--full-tree", "--end-of-options", commit, ...consentPaths];
}

/** Whether what `listConsent` printed names a file. A link may lead anywhere, so it says nothing. */
export function tracksConsent(listed: string): boolean {
  return listed.split("\0").some((entry) => entry.startsWith("100"));
}

/**
 * The commit of the base branch, as the remote has it: the branch that the remote calls its default, else that of the clone
 * which a worktree belongs to, else the usual names. Only a repository without a remote has its own branches for a base. Null
 * where nobody can tell.
 */
export async function baseCommit({ own, common }: Records): Promise<string | null> {
  const refs = await readRefs(common, ["refs/remotes/", ...usual.map((name) => `refs/heads/${name}`)]);
  const commitOf = (names: readonly string[]): string | null => names.map((name) => refs.get(name)).find((id) => id !== undefined) ?? null;
  const hasRemote = [...refs.keys()].some((ref) => ref.startsWith("refs/remotes/"));
  if (!hasRemote) return commitOf(usual.map((name) => `refs/heads/${name}`)) ?? (await readHead({ own, common }))?.commit ?? null;
  const named = (await smallText(join(common, "refs/remotes/origin/HEAD")))?.replace(/^ref: /, "") ?? "";
  const ofClone = own === common ? null : ((await readHead({ own: common, common }))?.ref ?? null);
  const clones = ofClone?.startsWith("refs/heads/") === true ? [`refs/remotes/origin/${ofClone.slice("refs/heads/".length)}`] : [];
  return commitOf([named, ...clones, ...usual.map((name) => `refs/remotes/origin/${name}`)]);
}

const usual: readonly string[] = ["main", "master"];
