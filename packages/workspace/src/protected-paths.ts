import { posix } from "node:path";
import { decodeName, encodeName } from "./names.ts";
import { isToolFile, leadingFolders, placesBelow, toolDepth } from "./tool-files.ts";

/** One file of a commit, as git lists it. */
export type TreeEntry = { readonly mode: string; readonly blob: string; readonly path: string };

/**
 * Whether a path is, or is below, one from which a tool takes orders, however a file system may
 * spell it.
 */
export const isProtected = (path: string): boolean => rootOf(path) !== null;

/**
 * A path as the least careful file system compares it: without regard to case in any script, to
 * composed letters, to characters that print nothing, and to dots and blanks at the end of a name.
 */
export function foldPath(path: string): string {
  const plain = path.normalize("NFKD").replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "");
  return plain
    .toUpperCase()
    .toLowerCase()
    .replaceAll(/[. ]+(?=\/|$)/gu, "");
}

/**
 * What has to change in a checkout of one commit so that its agent and hook configuration is
 * another commit's.
 */
export type RestorePlan = {
  /** Files of the head that the base has not, or that may not stay: they go. */
  readonly remove: readonly string[];
  /**
   * Files of the base that the head has otherwise or not at all; with other attributes, also those
   * that the head has as they are: it was written by its own.
   */
  readonly write: readonly TreeEntry[];
  /**
   * Those of `write` that the head does not have: nothing in its index hides them from a commit.
   */
  readonly added: readonly string[];
  /** Links of the base that lead to files which the head may have changed: they are left out. */
  readonly leftOut: readonly string[];
};

/**
 * What of a base can't be told from its paths: where its links lead, what its instructions import,
 * and the folders below which git's configuration has its hooks.
 */
export type BaseContents = {
  readonly leadsTo: (link: TreeEntry) => string;
  /** Paths from the root of the tree; files that the base doesn't have are among them. */
  readonly imports: readonly string[];
  readonly hooks: readonly string[];
};

/** Compares two commits, of which only the listed files are looked at. Pure. */
export function planRestore(
  head: readonly TreeEntry[],
  base: readonly TreeEntry[],
  { leadsTo, imports, hooks }: BaseContents,
): RestorePlan {
  const imported = new Set(imports.map(foldPath));
  const hookFolders = hooks.map(foldPath);
  const isHook = (path: string): boolean =>
    hookFolders.some((folder) => `${foldPath(path)}/`.startsWith(`${folder}/`));
  const counts = (path: string): boolean =>
    isProtected(path) || imported.has(foldPath(path)) || isHook(path);
  const ways = foldersOf([...placesBelow, ...imported, ...hookFolders]);
  const isWay = (path: string): boolean =>
    ways.has(path) || leadingFolders.has(posix.basename(path));
  const isOurs = ({ mode, path }: TreeEntry): boolean =>
    counts(path) || (mode === "120000" && isWay(foldPath(path)));
  const ours = new Map(head.filter(isOurs).map((entry) => [entry.path, entry]));
  const folders = foldersOf(head.map(({ path }) => path));
  const files = new Set(head.filter((entry) => !isOurs(entry)).map(({ path }) => path));
  const wanted = base.filter(
    ({ mode, path }) => counts(path) && mode !== "160000" && hasPlace(path, folders, files),
  );
  const isContained = (entry: TreeEntry): boolean =>
    entry.mode !== "120000" || staysWithin(entry, leadsTo(entry), counts);
  const [kept, leftOut] = [
    wanted.filter(isContained),
    wanted.filter((entry) => !isContained(entry)).map(({ path }) => path),
  ];
  const theirs = new Set(kept.map(({ path }) => path));
  const isAsWritten = attributesIn(head) === attributesIn(base);
  const write = kept.filter(
    ({ path, mode, blob }) =>
      !isAsWritten || ours.get(path)?.blob !== blob || ours.get(path)?.mode !== mode,
  );
  return {
    remove: [...ours.keys()].filter((path) => !theirs.has(path)),
    write,
    added: write.flatMap(({ path }) => (ours.has(path) ? [] : [path])),
    leftOut,
  };
}

/** What decides, beside their content, which bytes git writes for the files of a commit. */
const attributesIn = (tree: readonly TreeEntry[]): string =>
  tree
    .filter(({ path }) => posix.basename(foldPath(path)) === ".gitattributes")
    .map(({ mode, blob, path }) => `${mode} ${blob} ${path}`)
    .join("\n");

/**
 * Nested configuration counts only where the head still has the folder that it is about, as a
 * folder; and a tool's file only where the head has no folder of that name.
 */
function hasPlace(path: string, folders: ReadonlySet<string>, files: ReadonlySet<string>): boolean {
  if (isToolFile(foldPath(path)) && folders.has(path)) return false;
  const parent = posix.dirname(rootOf(path) ?? path);
  return parent === "." || (folders.has(parent) && !files.has(parent));
}

/**
 * A link may stay when what it leads to is the base's as well; another file's content is the head's
 * to choose.
 */
function staysWithin(link: TreeEntry, target: string, counts: (path: string) => boolean): boolean {
  const path = posix.normalize(posix.join(posix.dirname(link.path), target));
  return !posix.isAbsolute(target) && !path.startsWith("..") && counts(path);
}

/** The path up to its first protected part; null when it has none. */
function rootOf(path: string): string | null {
  const segments = path.split("/");
  const depth = toolDepth(segments.map(foldPath));
  return depth === null ? null : segments.slice(0, depth).join("/");
}

function foldersOf(paths: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (
      let folder = posix.dirname(path);
      folder !== "." && !folders.has(folder);
      folder = posix.dirname(folder)
    )
      folders.add(folder);
  }
  return folders;
}

/** Reads `git ls-tree -r -z`. */
export function parseTree(text: string): readonly TreeEntry[] {
  return text.split("\0").flatMap((row) => {
    const tab = row.indexOf("\t");
    const [mode, , blob] = row.slice(0, tab).split(" ");
    return tab < 0 || mode === undefined || blob === undefined
      ? []
      : [{ mode, blob, path: row.slice(tab + 1) }];
  });
}

/** Reads `git cat-file --batch`: the text of each object, in order. */
export function parseBlobs(printed: string): readonly string[] {
  const bytes = encodeName(printed);
  const texts: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const line = bytes.indexOf("\n", at);
    const size = Number(bytes.toString("latin1", at, line).split(" ")[2]);
    if (line < 0 || !Number.isInteger(size)) throw new Error("git printed no size of an object");
    texts.push(decodeName(bytes.subarray(line + 1, line + 1 + size)));
    at = line + 1 + size + 1;
  }
  return texts;
}
