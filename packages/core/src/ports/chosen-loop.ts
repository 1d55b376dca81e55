import { consentPaths } from "../manifest/footprint.ts";

/** Asks git in a checkout; null where it does not tell. */
type Ask = (args: readonly string[]) => Promise<string | null>;

/**
 * Whether a repository has chosen loop: its base branch tracks a manifest or a harness configuration (specification 1.8). A folder
 * `.loop/` says nothing, since the product keeps its own state in such a one, and what a head tracks says nothing either, since whoever wrote
 * that head may be a stranger. Where nobody can tell, we are a guest. The one place that decides it: whatever writes into a repository asks here.
 */
export async function hasChosenLoop(ask: Ask): Promise<boolean> {
  const base = await baseOf(ask);
  const listed = base === null ? null : await ask(["ls-tree", "-z", "--full-tree", "--end-of-options", base, ...consentPaths]);
  return listed?.split("\0").some((entry) => entry.startsWith("100")) === true; // A file; a link may lead anywhere.
}

/**
 * The base branch as the remote has it: the one that the remote calls its default, else that of the clone which a worktree belongs to, else the usual
 * names. Only a repository without a remote has its own branches for a base.
 */
async function baseOf(ask: Ask): Promise<string | null> {
  const rows = (await ask(["for-each-ref", "--format=%(refname) %(symref)", "refs/remotes/", ...usual.map((name) => `refs/heads/${name}`)]))?.split("\n").map((row) => row.split(" ")) ?? [];
  const known = new Set(rows.map(([ref]) => ref ?? ""));
  const remotes = [...known].some((ref) => ref.startsWith("refs/remotes/"));
  const named = rows.find(([ref]) => ref === "refs/remotes/origin/HEAD")?.[1];
  if (named !== undefined && known.has(named)) return named;
  if (!remotes) return usual.map((name) => `refs/heads/${name}`).find((ref) => known.has(ref)) ?? "HEAD";
  const ofClone = await branchOfClone(ask);
  return [...(ofClone === null ? [] : [ofClone]), ...usual].map((name) => `refs/remotes/origin/${name}`).find((ref) => known.has(ref)) ?? null;
}

const usual: readonly string[] = ["main", "master"];

/** The branch of the clone itself, seen from a worktree of it; null in a clone. */
async function branchOfClone(ask: Ask): Promise<string | null> {
  const [own, common] = (await ask(["rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir"]))?.trimEnd().split("\n") ?? [];
  if (own === undefined || common === undefined || own === common) return null;
  const branch = (await ask([`--git-dir=${common}`, "symbolic-ref", "--quiet", "HEAD"]))?.trimEnd();
  return branch?.startsWith("refs/heads/") === true ? branch.slice("refs/heads/".length) : null;
}
