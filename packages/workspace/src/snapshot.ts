import { join } from "node:path";
import { copyIndex, makeBorrower, sinceRestored } from "./borrower.ts";
import type { Git } from "./git.ts";
import type { Layout } from "./layout.ts";
import { fromList, toList } from "./lists.ts";
import { observeRights, type Rights } from "./rights.ts";
import { findUnchanged, findUnsaved, standsAsFile } from "./unsaved.ts";
import { recordOf } from "./worktree-record.ts";

/**
 * A checkout as commits: `index` is what was staged, `work` every file that is not ignored. Ids of objects in `gitDir`.
 * `raw` are the paths whose bytes `work` holds exactly; every other file is what a filter of the user's makes of `head`.
 */
export type Snapshot = { readonly gitDir: string; readonly head: string; readonly index: string; readonly work: string; readonly raw: readonly string[]; readonly rights: Rights; readonly dirty: boolean };

/**
 * Photographs a checkout into a repository of its own. With `evenIfClean` false a checkout that is as git wrote it is not
 * looked at any closer; line endings alone are nobody's work.
 */
export async function takeSnapshot(git: Git, layout: Layout, gitDir: string, evenIfClean: boolean): Promise<Snapshot | null> {
  const head = (await git.run(layout.checkout, ["rev-parse", "--verify", "HEAD^{commit}"])).trim();
  const record = await recordOf(layout);
  const restored = await sinceRestored(layout, record);
  const borrower = await makeBorrower(git, layout, gitDir, restored);
  const [staged, working] = [join(gitDir, "staged-index"), join(gitDir, "working-index")];
  await copyIndex(record, staged, gitDir);
  await copyIndex(record, working, gitDir);
  const untouched = new Set(restored.untouched.map(({ path }) => path));
  const { raw, moved, staged: isStaged, absent } = await findUnsaved(git, layout, borrower, working, head, untouched);
  const rights = await observeRights(git, layout.checkout, borrower.env(working));
  if (raw.size === 0 && moved.length === 0 && !isStaged && !evenIfClean) return null;
  const unchanged = await findUnchanged(git, layout, borrower, working, new Set([...raw, ...untouched]));
  const hashed = new Set([...raw, ...unchanged.other]);
  const env = borrower.env(working);
  const update = (args: readonly string[], paths: Iterable<string>) => git.run(layout.checkout, ["update-index", ...args, "-z", "--stdin"], { env, input: toList(paths), minutes: 20 });
  if (hashed.size + absent.length > 0) await update(["--force-remove"], [...hashed, ...absent]);
  const present: string[] = [];
  for (const path of hashed) if (await standsAsFile(layout.checkout, path)) present.push(path);
  if (present.length > 0) await update(["--add", "--replace"], present);
  if (moved.length > 0) await update(["--remove"], moved);
  const work = await treeOf(git, layout, env);
  const index = await treeOf(git, layout, borrower.env(staged));
  const commit = async (tree: string, message: string): Promise<string> => (await git.run(layout.checkout, ["commit-tree", tree, "-p", head, "-m", message], { env: { ...env, ...author } })).trim();
  const before = (await git.run(layout.checkout, ["rev-parse", `${head}^{tree}`])).trim();
  // Bytes that only a line ending changes in `work` are no work of anybody: what was dirty before counts.
  const dirty = index !== before || (raw.size + moved.length > 0 && work !== before);
  return { gitDir, head, index: await commit(index, "Staged when the checkout was released"), work: await commit(work, "Files when the checkout was released"), raw: [...raw, ...unchanged.exact], rights, dirty };
}

const author = { GIT_AUTHOR_NAME: "loop", GIT_AUTHOR_EMAIL: "loop@localhost", GIT_COMMITTER_NAME: "loop", GIT_COMMITTER_EMAIL: "loop@localhost" };

/** The tree of an index. One with conflicts has none, so its blobs are listed flat, each under its own id. */
async function treeOf(git: Git, layout: Layout, env: Readonly<Record<string, string>>): Promise<string> {
  const unmerged = await git.run(layout.checkout, ["ls-files", "--unmerged", "-z"], { env });
  if (unmerged === "") return (await git.run(layout.checkout, ["write-tree"], { env })).trim();
  const rows = fromList(await git.run(layout.checkout, ["ls-files", "--stage", "-z"], { env }));
  const blobs = new Set(rows.flatMap((row) => (row.startsWith("160000") ? [] : [row.split(" ")[1] ?? ""])));
  return (await git.run(layout.checkout, ["mktree"], { env, input: [...blobs].map((id) => `100644 blob ${id}\t${id}\n`).join("") })).trim();
}
