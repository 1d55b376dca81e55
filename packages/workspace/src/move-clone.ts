import { join } from "node:path";
import type { Git, Where } from "./git.ts";
import type { Own } from "./own-repository.ts";
import { readHead, readLog, readRef } from "./records.ts";

/** Who runs git, and in what. */
export type Tools = { readonly git: Git; readonly own: Own };

/**
 * Moves the shared clone, which is on the branch `ref`, to the commit that the branch was fetched
 * at. Somebody's own commits and changes there stay: false, when they are in the way. A branch
 * whose history was rewritten on the remote is followed where the clone has nothing but what the
 * remote once had; `noted` are such positions, newest first.
 */
export async function moveClone(
  { git, own }: Tools,
  clone: string,
  ref: string,
  target: string,
  noted: readonly string[],
): Promise<boolean> {
  const common = join(clone, ".git");
  const at = await readRef(common, ref);
  if (at === null) return false;
  // Git's own log has what an earlier version fetched, and sessions, who may have put anything
  // there.
  const log = join(common, "logs", ref.replace("refs/heads/", "refs/remotes/origin/"));
  const logged = await readLog(log).catch(() => []);
  const seen = [...noted, ...logged].slice(0, mostSeen);
  const moved = await own(
    { common, workTree: clone, purpose: "write-files", head: at, index: join(common, "index") },
    async (where) => {
      const beyond = await git.run(
        where,
        ["rev-list", "--max-count=1", "--ignore-missing", "--stdin"],
        { input: [at, ...[target, ...seen].map((id) => `^${id}`)].map((id) => `${id}\n`).join("") },
      );
      return beyond === "" && moveFiles(git, where, at, target);
    },
  );
  if (moved) await git.changeRefs(clone, new Map([[ref, { to: target, from: at }]]));
  return moved;
}

/** Moves the files of the shared clone to a commit, whatever branch it was on. */
export async function switchClone(
  { git, own }: Tools,
  clone: string,
  target: string,
): Promise<boolean> {
  const common = join(clone, ".git");
  const at = (await readHead({ own: common, common }))?.commit ?? null;
  return (
    at !== null &&
    own(
      { common, workTree: clone, purpose: "write-files", head: at, index: join(common, "index") },
      (where) => moveFiles(git, where, at, target),
    )
  );
}

/**
 * As a fast-forward does it: files that differ between the two commits change, and a change of
 * somebody's own in one of them stops it.
 */
async function moveFiles(git: Git, where: Where, from: string, to: string): Promise<boolean> {
  // Not quietly: a lock that stands in the way has to be told.
  await git.run(where, ["update-index", "--refresh"], { minutes: 20, answers: [1] });
  return git.run(where, ["read-tree", "-m", "-u", from, to], { minutes: 20 }).then(
    () => true,
    () => false,
  );
}

/** Positions of the remote's branch that are looked at, newest first. */
const mostSeen = 200;
