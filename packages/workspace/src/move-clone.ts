import type { Git } from "./git.ts";

/**
 * Moves the shared clone, which is on the branch `ref`, to the commit that the branch was fetched at. Somebody's own commits
 * and changes there stay: false, when they are in the way. A branch whose history was rewritten on the remote is followed
 * where the clone has nothing but what the remote once had.
 */
export async function moveClone(git: Git, clone: string, ref: string, target: string): Promise<boolean> {
  const tried = (args: readonly string[]): Promise<boolean> => git.run(clone, args, { minutes: 20 }).then(() => true, () => false);
  if (await tried(["merge", "--quiet", "--ff-only", "--no-verify", "--no-autostash", target])) return true;
  const own = (await git.run(clone, ["rev-parse", "--verify", ref])).trim();
  const oncePushed = await git.run(clone, ["merge-base", "--fork-point", ref.replace("refs/heads/", "refs/remotes/origin/"), ref], { answers: [1] }).catch(() => "");
  return oncePushed.trim() === own && tried(["reset", "--quiet", "--keep", target]);
}
