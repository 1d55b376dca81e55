import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Git } from "./git.ts";
import type { Layout } from "./layout.ts";
import { recordOf } from "./worktree-record.ts";

/** A checkout as commits: `index` is what was staged, `work` every file that is not ignored. Ids of objects in `gitDir`. */
export type Snapshot = { readonly gitDir: string; readonly head: string; readonly index: string; readonly work: string; readonly dirty: boolean };

/**
 * Photographs a checkout into a repository of its own, which borrows the clone's objects and has none of its
 * configuration. Changed files go in byte for byte: no line-ending rule, filter or encoding of the checkout applies.
 */
export async function takeSnapshot(git: Git, layout: Layout, gitDir: string): Promise<Snapshot> {
  const head = (await git.run(layout.checkout, ["rev-parse", "--verify", "HEAD^{commit}"])).trim();
  await makeBorrower(git, layout, gitDir);
  const staged = join(gitDir, "staged-index");
  const working = join(gitDir, "working-index");
  await copyFile(join(await recordOf(layout), "index"), staged).catch(() => undefined);
  await copyFile(staged, working).catch(() => undefined);
  const env = (index: string) => ({ GIT_DIR: gitDir, GIT_WORK_TREE: layout.checkout, GIT_INDEX_FILE: index });
  await git.run(layout.checkout, ["-c", "core.autocrlf=false", "add", "--all", "--", "."], { env: env(working), minutes: 20 });
  const tree = await treeOf(git, layout, env(working));
  const index = await treeOf(git, layout, env(staged));
  const before = (await git.run(layout.checkout, ["rev-parse", `${head}^{tree}`])).trim();
  const commit = async (of: string, message: string): Promise<string> => (await git.run(layout.checkout, ["commit-tree", of, "-p", head, "-m", message], { env: { ...env(working), ...author } })).trim();
  return { gitDir, head, index: await commit(index, "Staged when the checkout was released"), work: await commit(tree, "Files when the checkout was released"), dirty: tree !== before || index !== before };
}

const author = { GIT_AUTHOR_NAME: "loop", GIT_AUTHOR_EMAIL: "loop@localhost", GIT_COMMITTER_NAME: "loop", GIT_COMMITTER_EMAIL: "loop@localhost" };

async function makeBorrower(git: Git, layout: Layout, gitDir: string): Promise<void> {
  await rm(gitDir, { recursive: true, force: true });
  await mkdir(gitDir, { recursive: true, mode: 0o700 });
  const format = (await git.run(layout.checkout, ["rev-parse", "--show-object-format"])).trim();
  await git.run(gitDir, ["init", "--quiet", "--bare", "--template=", `--object-format=${format}`]);
  await mkdir(join(gitDir, "info"), { recursive: true });
  await mkdir(join(gitDir, "objects", "info"), { recursive: true });
  await writeFile(join(gitDir, "objects", "info", "alternates"), `${join(layout.clone, ".git", "objects")}\n`);
  await writeFile(join(gitDir, "info", "attributes"), "* -text -filter -ident -working-tree-encoding\n");
  const exclude = await readFile(join(layout.clone, ".git", "info", "exclude"), "utf8").catch(() => "");
  await writeFile(join(gitDir, "info", "exclude"), exclude);
}

/** The tree of an index. One with conflicts has none, so its blobs are listed flat, each under its own id. */
async function treeOf(git: Git, layout: Layout, env: Readonly<Record<string, string>>): Promise<string> {
  const unmerged = await git.run(layout.checkout, ["ls-files", "--unmerged", "-z"], { env });
  if (unmerged === "") return (await git.run(layout.checkout, ["write-tree"], { env })).trim();
  const listed = await git.run(layout.checkout, ["ls-files", "--stage", "-z"], { env });
  const blobs = new Set(listed.split("\0").flatMap((row) => (row === "" || row.startsWith("160000") ? [] : [row.split(" ")[1] ?? ""])));
  return (await git.run(layout.checkout, ["mktree"], { env, input: [...blobs].map((id) => `100644 blob ${id}\t${id}\n`).join("") })).trim();
}
