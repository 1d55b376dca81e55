import { consentPaths } from "./footprint.ts";

/** What git knows of a repository's branches; ids are those of commits. */
export type BranchFacts = {
  /** Ids by full names: those below `refs/remotes/`, and the usual branches of its own. */
  readonly refs: ReadonlyMap<string, string>;
  /** Full name of the remote's default branch; null where nobody tells. */
  readonly remoteDefault: string | null;
  /** Full name of the branch of the clone that a worktree belongs to; null in a clone itself. */
  readonly cloneBranch: string | null;
  /** The commit that is checked out. */
  readonly head: string | null;
};

/** Branches of a repository's own that may be its base. */
export const usualBases: readonly string[] = ["refs/heads/main", "refs/heads/master"];

/**
 * The commit of the base branch, as the remote has it: the branch that the remote calls its
 * default, else that of the clone which a worktree belongs to, else the usual names. Only a
 * repository without a remote has its own branches for a base. Null where nobody can tell.
 */
export function baseCommit({ refs, remoteDefault, cloneBranch, head }: BranchFacts): string | null {
  const first = (names: readonly (string | null)[]): string | null =>
    names
      .map((name) => (name === null ? undefined : refs.get(name)))
      .find((id) => id !== undefined) ?? null;
  const remote = (name: string | null): string | null =>
    name?.startsWith("refs/heads/") === true
      ? `refs/remotes/origin/${name.slice("refs/heads/".length)}`
      : null;
  const hasRemote = [...refs.keys()].some((name) => name.startsWith("refs/remotes/"));
  return hasRemote
    ? first([remoteDefault, remote(cloneBranch), ...usualBases.map(remote)])
    : (first(usualBases) ?? head);
}

/** Arguments for git that list the files by which people choose loop, in a commit. */
export function consentListing(commit: string): readonly string[] {
  return ["ls-tree", "-z", "--full-tree", "--end-of-options", commit, ...consentPaths];
}

/**
 * Whether what git lists there says that people chose loop (specification 1.8): a manifest or a
 * harness configuration that the base branch tracks. A folder `.loop/` says nothing, since the
 * product keeps its own state in such a one, and what a head tracks says nothing either, since
 * whoever wrote that head may be a stranger. A link may lead anywhere, so it says nothing.
 */
export function tracksConsent(listed: string): boolean {
  return listed.split("\0").some((entry) => entry.startsWith("100"));
}
