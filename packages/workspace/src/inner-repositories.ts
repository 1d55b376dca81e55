import { lstat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { ifAbsent } from "./if-absent.ts";
import { makeBorrower } from "./borrower.ts";
import { folderOf, type Git, type Where } from "./git.ts";
import { isInside, type Layout } from "./layout.ts";
import { fromList } from "./nul-lists.ts";
import { apartConfig } from "./hardening.ts";
import { offendingKeys, parseConfigList } from "./local-config.ts";
import { decodeName, entriesOf, fileAt, shownName } from "./names.ts";
import { copyIndex } from "./own-repository.ts";
import { readPlain } from "./plain-file.ts";
import { readHead, readLogs, readRefs, type Records } from "./records.ts";
import { standsAsFile } from "./unsaved-changes.ts";

/**
 * A repository inside the checkout (a submodule, or one that the session cloned) is not saved. It
 * may go only when all of its files and commits are on its remote. It is looked at as the checkout
 * is: its records are data, and git runs in a repository of ours, made in the folder `gitDir`.
 * Rejects with the reason when the checkout must stay.
 */
export async function refuseLossInside(
  git: Git,
  layout: Layout,
  records: Records,
  gitDir: string,
): Promise<void> {
  for (const inner of await innerRepositories(git, (await lookInto(records, gitDir)).where)) {
    if (!inner.isWellFormed())
      throw new Error(
        `${shownName(inner)} is a repository of its own in a folder whose name is no UTF-8, and git cannot be asked there`,
      );
    const folder = await gitDirOf(inner);
    if (
      folder === null ||
      !(isInside(layout.checkout, folder) || isInside(join(layout.clone, ".git"), folder))
    )
      throw new Error(`${inner} is a repository whose records are elsewhere`);
    await refuseOddConfig(git, inner, folder);
    await refuseLossIn(
      git,
      { workTree: inner, own: folder, common: folder },
      join(gitDir, "inner"),
    );
  }
}

async function lookInto(
  records: Records,
  gitDir: string,
): Promise<{ readonly where: Where; readonly refs: ReadonlyMap<string, string> }> {
  const refs = await readRefs(records.common, ["refs/heads/", "refs/remotes/", "refs/stash"]);
  const borrower = await makeBorrower(records, gitDir, undefined, refs);
  const where = borrower.at();
  await copyIndex(records.own, where.repository.index, gitDir);
  return { where, refs };
}

/**
 * Every file that git would take this repository's configuration from is read as text, or the
 * repository is not asked at all.
 */
async function refuseOddConfig(git: Git, inner: string, folder: string): Promise<void> {
  if ((await lstat(join(folder, "commondir")).catch(ifAbsent(null))) !== null)
    throw new Error(
      `${inner} is a repository that takes its configuration from elsewhere, by a file commondir`,
    );
  for (const name of ["config", "config.worktree"]) {
    const file = join(folder, name);
    const stat = await lstat(file).catch(ifAbsent(null));
    if (stat === null && name === "config.worktree") continue;
    if (stat !== null && !stat.isFile())
      throw new Error(
        `${inner} is a repository whose ${name} is no plain file, but a link or the like`,
      );
    const entries = parseConfigList(
      await git.run({ kind: "nowhere" }, [
        "config",
        "--file",
        file,
        "--no-includes",
        "-z",
        "--list",
      ]),
    );
    // A submodule says where its files are; anywhere else git would look at other files than those
    // that go.
    const own = entries.filter(
      ({ key, value }) => key !== "core.worktree" || resolve(folder, value) !== inner,
    );
    const odd = offendingKeys(own).filter((key) => !overridden.has(key));
    if (odd.length > 0)
      throw new Error(
        `${inner} is a repository of its own with ${odd.map(shownName).join(", ")} in its configuration`,
      );
  }
}

/** Keys that every command of ours overrides: a project's own hooks are no reason to stop. */
const overridden: ReadonlySet<string> = new Set(
  apartConfig.map((pair) => pair.slice(0, pair.indexOf("=")).toLowerCase()),
);

async function refuseLossIn(git: Git, records: Records, gitDir: string): Promise<void> {
  const inner = records.workTree;
  const { where, refs } = await lookInto(records, gitDir);
  const head = (await readHead(records))?.commit ?? null;
  // Said in full: the user's own configuration may keep untracked files out of sight.
  const status = await git.run(where, [
    "status",
    "--porcelain",
    "--untracked-files=normal",
    "--ignore-submodules=all",
  ]);
  const unseen = await firstUnseen(inner, fromList(await git.run(where, ["ls-files", "-v", "-z"])));
  const seen = new Set([
    ...(head === null ? [] : [head]),
    ...[...refs].flatMap(([name, id]) => (name.startsWith("refs/heads/") ? [id] : [])),
    ...(await readLogs(join(records.common, "logs"))),
  ]);
  const unpushed = await git.run(
    where,
    ["rev-list", "--max-count=1", "--ignore-missing", "--stdin", "--not", "--remotes"],
    { input: [...seen].map((id) => `${id}\n`).join("") },
  );
  const deeper = await innerRepositories(git, where);
  if (unseen !== null)
    throw new Error(
      `${inner} is a repository of its own in which git was told not to look at ${shownName(unseen)}`,
    );
  if (status.trim() !== "" || unpushed.trim() !== "" || refs.has("refs/stash") || deeper.length > 0)
    throw new Error(`${inner} is a repository of its own with work that is on no remote`);
}

/**
 * A file that a mark in the index hides from git's status: assume-unchanged, or skip-worktree where
 * the file is there all the same.
 */
async function firstUnseen(inner: string, rows: readonly string[]): Promise<string | null> {
  for (const row of rows) {
    const [tag, path] = [row.slice(0, 1), row.slice(2)];
    if (tag !== tag.toUpperCase() || (tag === "S" && (await standsAsFile(inner, path))))
      return path;
  }
  return null;
}

/** Folders with a `.git` of their own, tracked as links to commits or not tracked at all. */
async function innerRepositories(git: Git, where: Where): Promise<readonly string[]> {
  const checkout = folderOf(where);
  const tracked = fromList(await git.run(where, ["ls-files", "--stage", "-z"])).flatMap((row) =>
    row.startsWith("160000") ? [row.slice(row.indexOf("\t") + 1)] : [],
  );
  const untracked = fromList(
    await git.run(where, ["ls-files", "--others", "--exclude-standard", "-z"]),
  ).filter((path) => path.endsWith("/"));
  const found: string[] = [];
  for (const path of [...tracked, ...untracked]) {
    const folder = join(checkout, path);
    if ((await lstat(fileAt(folder, ".git")).catch(ifAbsent(null))) !== null) found.push(folder);
    // Git looks into no folder of a submodule that is not there, so nobody would see that these
    // files go.
    else if (tracked.includes(path) && (await entriesOf(folder).catch(ifAbsent([]))).length > 0)
      throw new Error(
        `${shownName(folder)} belongs to a submodule that is not there and has files in it`,
      );
  }
  return found;
}

/**
 * Where a repository keeps its records: its `.git`, or the folder that the file of this name leads
 * to; null for a link.
 */
async function gitDirOf(inner: string): Promise<string | null> {
  const path = join(inner, ".git");
  const stat = await lstat(path);
  if (stat.isDirectory()) return path;
  const bytes = stat.isFile() ? await readPlain(path) : "odd";
  if (typeof bytes === "string") return null;
  const text = decodeName(bytes).trim();
  return text.startsWith("gitdir: ") ? resolve(inner, text.slice("gitdir: ".length)) : null;
}
