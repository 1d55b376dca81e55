import { lstat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ifAbsent } from "./if-absent.ts";
import type { Borrower } from "./borrower.ts";
import type { Git, Where } from "./git.ts";
import type { Layout } from "./layout.ts";
import { fromList, toList } from "./nul-lists.ts";
import { fileAt } from "./names.ts";
import { makeOwn } from "./own-repository.ts";

/**
 * Paths whose bytes must be kept because a fresh checkout of the head would not bring them back,
 * and links to commits that moved.
 */
export type Unsaved = {
  readonly raw: ReadonlySet<string>;
  readonly moved: readonly string[];
  /** Whether the index is another than the head's, if only by where a link to a submodule leads. */
  readonly staged: boolean;
  /**
   * Files that the session told git not to look for and that are not there, as in a sparse
   * checkout.
   */
  readonly absent: readonly string[];
};

/**
 * What differs from a fresh checkout of `head`, by the cheapest sure sign: another size or time
 * than the index remembers, another entry in the index than in the head, or in neither. Ignored
 * files do not count. `index` belongs to the borrower and loses the marks by which a session may
 * have told git not to look at files that it changed.
 */
export async function findUnsaved(
  git: Git,
  layout: Layout,
  borrower: Borrower,
  index: string,
  head: string,
  untouched: ReadonlySet<string>,
): Promise<Unsaved> {
  const where = borrower.at(index);
  const list = async (...args: readonly string[]): Promise<readonly string[]> =>
    fromList(await git.run(where, args, { minutes: 20 }));
  const absent = await lookAtEverything(
    git,
    layout,
    where,
    await list("ls-files", "-v", "-z"),
    untouched,
  );
  // Only where a submodule stands is looked at: for more, git would run in it, by its
  // configuration.
  const dirty = await list("diff-files", "--ignore-submodules=dirty", "--name-only", "-z");
  const staged = await list(
    "diff-index",
    "--cached",
    "--no-renames",
    "--name-only",
    "-z",
    head,
    "--",
  );
  const untracked = await list("ls-files", "--others", "--exclude-standard", "-z");
  const links = new Set(
    (await list("ls-files", "--stage", "-z")).flatMap((row) =>
      row.startsWith("160000") ? [row.slice(row.indexOf("\t") + 1)] : [],
    ),
  );
  // Where a submodule was, something else may stand by now.
  const asLinks = new Set<string>();
  for (const path of links) if (!(await standsAsFile(layout.checkout, path))) asLinks.add(path);
  const all = [...dirty, ...staged, ...untracked.filter((path) => !path.endsWith("/"))];
  return {
    raw: new Set(all.filter((path) => !asLinks.has(path))),
    moved: dirty.filter((path) => asLinks.has(path)),
    staged: staged.length > 0,
    absent,
  };
}

/** A file or a link, and no link on the way to it leads elsewhere. */
export async function standsAsFile(checkout: string, path: string): Promise<boolean> {
  return (await stands(checkout, path)) && !(await lstat(fileAt(checkout, path))).isDirectory();
}

/**
 * Marks such as assume-unchanged are taken off whatever is there. Returns what is not there by the
 * user's choice.
 */
async function lookAtEverything(
  git: Git,
  layout: Layout,
  where: Where,
  rows: readonly string[],
  untouched: ReadonlySet<string>,
): Promise<readonly string[]> {
  const [assumed, skipped, absent]: [string[], string[], string[]] = [[], [], []];
  for (const row of rows) {
    const [tag, path] = [row.slice(0, 1), row.slice(2)];
    if (untouched.has(path)) continue;
    if (tag !== tag.toUpperCase()) assumed.push(path);
    if (tag.toUpperCase() === "S")
      ((await stands(layout.checkout, path)) ? skipped : absent).push(path);
  }
  if (assumed.length > 0)
    await git.run(where, ["update-index", "-z", "--no-assume-unchanged", "--stdin"], {
      input: toList(assumed),
    });
  if (skipped.length > 0)
    await git.run(where, ["update-index", "-z", "--no-skip-worktree", "--stdin"], {
      input: toList(skipped),
    });
  return absent;
}

/**
 * `exact`: files whose bytes are known to be those that a snapshot holds. `other`: those of them
 * whose bytes are not the ones in the repository.
 */
export type Unchanged = { readonly exact: readonly string[]; readonly other: readonly string[] };

/**
 * Looks at the bytes of files that git takes for unchanged. They may be others than those in the
 * repository, and others than a checkout would write, because of line endings; so each counts as
 * exact. What a filter such as the large-file extension writes does not: it is left to that filter.
 */
export async function findUnchanged(
  git: Git,
  layout: Layout,
  borrower: Borrower,
  index: string,
  except: ReadonlySet<string>,
): Promise<Unchanged> {
  const where = borrower.at(index);
  const rows = fromList(await git.run(where, ["ls-files", "--stage", "-z"]));
  const listed = rows.flatMap((row) => {
    const [blob, path] = [row.split(" ")[1] ?? "", row.slice(row.indexOf("\t") + 1)];
    return row.startsWith("100") && !except.has(path) ? [{ blob, path }] : [];
  });
  const filtered = await withFilter(
    git,
    layout,
    borrower,
    listed.map(({ path }) => path),
  );
  const files: typeof listed = [];
  for (const file of listed)
    if (!filtered.has(file.path) && (await stands(layout.checkout, file.path))) files.push(file);
  // The list that git hashes from has one path a line, without a carriage return at its end; what
  // cannot stand in it is hashed by being added.
  const [plain, odd] = [
    files.filter(({ path }) => !isOdd(path)),
    files.filter(({ path }) => isOdd(path)).map(({ path }) => path),
  ];
  const hashes =
    plain.length === 0
      ? []
      : (
          await git.run(where, ["hash-object", "--no-filters", "--stdin-paths"], {
            input: plain.map(({ path }) => `${path}\n`).join(""),
            minutes: 20,
          })
        ).split("\n");
  return {
    exact: files.map(({ path }) => path),
    other: [...odd, ...plain.filter(({ blob }, at) => hashes[at] !== blob).map(({ path }) => path)],
  };
}

const isOdd = (path: string): boolean =>
  path.includes("\n") || path.endsWith("\r") || path.startsWith('"');

/**
 * Asked in a repository whose attributes are not overridden, as the borrower's are; only names of
 * filters are read there.
 */
async function withFilter(
  git: Git,
  layout: Layout,
  borrower: Borrower,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const repository = await makeOwn(join(borrower.gitDir, "attributes-as-they-are"), {
    common: join(layout.clone, ".git"),
    workTree: layout.checkout,
    purpose: "no-files",
  });
  const rows = fromList(
    await git.run({ kind: "own", repository }, ["check-attr", "-z", "--stdin", "filter"], {
      input: toList(paths),
    }),
  );
  return new Set(
    paths.filter((_, at) => !["unspecified", "unset"].includes(rows[at * 3 + 2] ?? "")),
  );
}

/** Something is there, and no link on the way leads elsewhere. */
async function stands(checkout: string, path: string): Promise<boolean> {
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
    if (
      !(await lstat(fileAt(checkout, folder)).then((stat) => stat.isDirectory(), ifAbsent(false)))
    )
      return false;
  }
  return lstat(fileAt(checkout, path)).then(() => true, ifAbsent(false));
}
