import { join } from "node:path";
import { type Borrower, makeBorrower, sinceRestored } from "./borrower.ts";
import type { Git, Where } from "./git.ts";
import type { Layout } from "./layout.ts";
import { fromList, toList } from "./nul-lists.ts";
import { copyIndex } from "./own-repository.ts";
import { readHead, recordsOf } from "./records.ts";
import { observeRights, type Rights } from "./file-modes.ts";
import { findUnchanged, findUnsaved, standsAsFile } from "./unsaved-changes.ts";

/**
 * A checkout as commits: `index` is what was staged, `work` every file that is not ignored. Ids of
 * objects in `gitDir`. `raw` are the paths whose bytes `work` holds exactly; every other file is
 * what a filter of the user's makes of `head`.
 */
export type Snapshot = {
  readonly gitDir: string;
  readonly head: string;
  readonly index: string;
  readonly work: string;
  readonly raw: readonly string[];
  readonly rights: Rights;
  readonly dirty: boolean;
  readonly borrower: Borrower;
};

/**
 * Photographs a checkout into a repository of its own. With `evenIfClean` false a checkout that is
 * as git wrote it is not looked at any closer; line endings alone are nobody's work. `refs` are
 * references that the repository is to have as well.
 */
export async function takeSnapshot(
  git: Git,
  layout: Layout,
  gitDir: string,
  evenIfClean: boolean,
  refs: ReadonlyMap<string, string> = new Map(),
): Promise<Snapshot | null> {
  const records = await recordsOf(layout);
  const record = records.own;
  const head = (await readHead(records))?.commit ?? null;
  if (head === null) throw new Error("it has no commit checked out");
  const restored = await sinceRestored(records);
  const borrower = await makeBorrower(records, gitDir, restored, refs);
  const [staged, working] = [join(gitDir, "staged-index"), join(gitDir, "working-index")];
  await copyIndex(record, staged, gitDir);
  await copyIndex(record, working, gitDir);
  const untouched = new Set(restored.untouched.map(({ path }) => path));
  const {
    raw,
    moved,
    staged: isStaged,
    absent,
  } = await findUnsaved(git, layout, borrower, working, head, untouched);
  const rights = await observeRights(git, borrower.at(working));
  if (raw.size === 0 && moved.length === 0 && !isStaged && !evenIfClean) return null;
  const unchanged = await findUnchanged(
    git,
    layout,
    borrower,
    working,
    new Set([...raw, ...untouched]),
  );
  const hashed = new Set([...raw, ...unchanged.other]);
  const where = borrower.at(working);
  const update = (args: readonly string[], paths: Iterable<string>) =>
    git.run(where, ["update-index", ...args, "-z", "--stdin"], {
      input: toList(paths),
      minutes: 20,
    });
  if (hashed.size + absent.length > 0) await update(["--force-remove"], [...hashed, ...absent]);
  const present: string[] = [];
  for (const path of hashed) if (await standsAsFile(layout.checkout, path)) present.push(path);
  if (present.length > 0) await update(["--add", "--replace"], present);
  if (moved.length > 0) await update(["--remove"], moved);
  const work = await treeOf(git, where);
  const index = await treeOf(git, borrower.at(staged));
  const commit = async (tree: string, message: string): Promise<string> =>
    (await git.run(where, ["commit-tree", tree, "-p", head, "-m", message])).trim();
  const before = (await git.run(where, ["rev-parse", `${head}^{tree}`])).trim();
  // Bytes that only a line ending changes in `work` are no work of anybody: what was dirty before
  // counts.
  const dirty = index !== before || (raw.size + moved.length > 0 && work !== before);
  return {
    gitDir,
    head,
    index: await commit(index, "Staged when the checkout was released"),
    work: await commit(work, "Files when the checkout was released"),
    raw: [...raw, ...unchanged.exact],
    rights,
    dirty,
    borrower,
  };
}

/**
 * The tree of an index. One with conflicts has none, so its blobs are listed flat, each under its
 * own id.
 */
async function treeOf(git: Git, where: Where): Promise<string> {
  const unmerged = await git.run(where, ["ls-files", "--unmerged", "-z"]);
  if (unmerged === "") return (await git.run(where, ["write-tree"])).trim();
  const rows = fromList(await git.run(where, ["ls-files", "--stage", "-z"]));
  const blobs = new Set(
    rows.flatMap((row) => (row.startsWith("160000") ? [] : [row.split(" ")[1] ?? ""])),
  );
  return (
    await git.run(where, ["mktree"], {
      input: [...blobs].map((id) => `100644 blob ${id}\t${id}\n`).join(""),
    })
  ).trim();
}
