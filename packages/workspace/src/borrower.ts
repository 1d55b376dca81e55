import { copyFile, lstat, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ifAbsent } from "./absent.ts";
import type { Git } from "./git.ts";
import type { Layout } from "./layout.ts";
import { decodeName, encodeName } from "./names.ts";
import { readPlain } from "./plain-file.ts";
import { excludePattern } from "./restore.ts";
import { changedSince, readRestored, type RestoredFile } from "./restored.ts";

/** What was restored from the base and is still as it was put there is nobody's work; what the session changed in it is. */
export type SinceRestored = { readonly changed: readonly RestoredFile[]; readonly untouched: readonly RestoredFile[] };

export async function sinceRestored(layout: Layout, record: string): Promise<SinceRestored> {
  const restored = await readRestored(record);
  if (restored === null) return { changed: [], untouched: [] };
  const changed = await changedSince(layout.checkout, restored);
  return { changed: restored.files.filter(({ path }) => changed.has(path)), untouched: restored.files.filter(({ path }) => !changed.has(path)) };
}

/** A repository of its own that borrows the clone's objects and has none of its configuration, for one look at a checkout. */
export type Borrower = { readonly gitDir: string; env(index: string): Readonly<Record<string, string>> };

/** Files go into it and come out of it byte for byte: no line-ending rule, filter or encoding applies. */
export async function makeBorrower(git: Git, layout: Layout, gitDir: string, restored: SinceRestored = { changed: [], untouched: [] }): Promise<Borrower> {
  await rm(gitDir, { recursive: true, force: true });
  await mkdir(gitDir, { recursive: true, mode: 0o700 });
  const format = (await git.run(layout.checkout, ["rev-parse", "--show-object-format"])).trim();
  await git.run(gitDir, ["init", "--quiet", "--bare", "--template=", `--object-format=${format}`]);
  await mkdir(join(gitDir, "info"), { recursive: true });
  await mkdir(join(gitDir, "objects", "info"), { recursive: true });
  await writeFile(join(gitDir, "objects", "info", "alternates"), `${join(layout.clone, ".git", "objects")}\n`);
  await writeFile(join(gitDir, "info", "attributes"), "* -text -filter -ident -working-tree-encoding\n");
  await writeFile(join(gitDir, "info", "exclude"), encodeName(await excludesOf(layout, restored)));
  return { gitDir, env: (index) => ({ GIT_DIR: gitDir, GIT_WORK_TREE: layout.checkout, GIT_INDEX_FILE: index, GIT_LITERAL_PATHSPECS: "1" }) };
}

/** Copies an index out of git's record of a work tree, with the parts that a split one shares. */
export async function copyIndex(record: string, target: string, folder: string): Promise<void> {
  if ((await lstat(join(record, "index")).catch(ifAbsent(null))) !== null) await copyFile(join(record, "index"), target);
  const shared = (await readdir(record)).filter((name) => name.startsWith("sharedindex."));
  for (const name of shared) await copyFile(join(record, name), join(folder, name));
}

async function excludesOf(layout: Layout, { changed, untouched }: SinceRestored): Promise<string> {
  const bytes = await readPlain(join(layout.clone, ".git", "info", "exclude"), 1024 ** 2);
  const exclude = typeof bytes === "string" ? "" : decodeName(bytes);
  const added = (files: readonly RestoredFile[]): readonly string[] => files.filter(({ how }) => how === "added").map(({ path }) => excludePattern(path));
  const dropped = new Set(added(changed));
  return `${[...exclude.split("\n").filter((line) => !dropped.has(line)), ...added(untouched)].join("\n")}\n`;
}
