import { consentPaths } from "./footprint.ts";

/** What git knows of a repository's branches; ids are those of commits. */
export type BranchFacts = {
  /** Names of the remotes in the configuration; null where it isn't known. */
  readonly remotes: readonly string[] | null;
  /** Ids by full names: those below `refs/remotes/`, and the usual branches of its own. */
  readonly refs: ReadonlyMap<string, string>;
  /** What `refs/remotes/<name>/HEAD` of the base's remote names; null where nobody tells. */
  readonly remoteDefault: string | null;
  /** Full name of the branch of the clone that a worktree belongs to; null in a clone itself. */
  readonly cloneBranch: string | null;
  /** The commit of the branch that is checked out; null on none. */
  readonly branchCommit: string | null;
};

/** Branches of a repository's own that may be its base. */
export const usualBases: readonly string[] = ["refs/heads/main", "refs/heads/master"];

/**
 * The commit of the base branch, as the remote has it: the branch that the remote calls its
 * default, else that of the clone which a worktree belongs to, else the usual names. Only a
 * repository whose configuration names no remote has its own branches for a base: what is checked
 * out beside a remote may be a stranger's. Null where nobody can tell.
 */
export function baseCommit(facts: BranchFacts): string | null {
  const { remotes, refs, remoteDefault, cloneBranch, branchCommit } = facts;
  const first = (names: readonly (string | null)[]): string | null =>
    names
      .map((name) => (name === null ? undefined : refs.get(name)))
      .find((id) => id !== undefined) ?? null;
  if (remotes?.length === 0) return first(usualBases) ?? branchCommit;
  const remote = baseRemote(remotes);
  if (remote === null) return null;
  const below = `refs/remotes/${remote}/`;
  const fetched = (name: string | null): string | null =>
    name?.startsWith("refs/heads/") === true ? below + name.slice("refs/heads/".length) : null;
  return first([
    remoteDefault?.startsWith(below) === true ? remoteDefault : null,
    fetched(cloneBranch),
    ...usualBases.map(fetched),
  ]);
}

/** The remote that has the base branch: the only one, or `origin` among several. */
export function baseRemote(remotes: readonly string[] | null): string | null {
  if (remotes?.length === 1) return remotes[0] ?? null;
  return remotes?.includes("origin") === true ? "origin" : null;
}

/** Arguments for git that list a repository's own configuration, or what it is given as a file. */
export function configListing(from: "--local" | "--file=-"): readonly string[] {
  return ["config", from, "--no-includes", "-z", "--list"];
}

/**
 * Names of the remotes that such a list has settings of; null where git listed nothing, or where the
 * list leads to other files that may name one.
 */
export function remotesIn(listed: string | null): readonly string[] | null {
  if (listed === null) return null;
  const keys = listed.split("\0").map((entry) => entry.split("\n", 1)[0] ?? "");
  const names = keys.flatMap((key) => /^remote\.(.+)\.[^.]+$/.exec(key)?.[1] ?? []);
  const isWhole = names.length > 0 || !keys.some((key) => /^include(?:if)?\./.test(key));
  return isWhole ? [...new Set(names)] : null;
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
