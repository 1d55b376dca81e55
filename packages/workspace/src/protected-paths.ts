import { posix } from "node:path";

/** One file of a commit, as git lists it. */
export type TreeEntry = { readonly mode: string; readonly blob: string; readonly path: string };

/** What an agent, its harness or a hook runner takes orders from (decisions.md 9), and npm's own file beside it (W10). In lower case. */
const names: ReadonlySet<string> = new Set([".claude", ".cursor", ".mcp.json", "claude.md", "claude.local.md", "agents.md", ".loop", ".husky", ".npmrc", ".cursorrules"]);

/** What sessions are told at their start (service.md 8, Inject). In lower case. */
const notes = "docs/learnings";

/** Whether a part of the path is such a name, or it leads to the notes, however it is written: some file systems ignore case. */
export const isProtected = (path: string): boolean => rootOf(path) !== null;

/** What has to change in a checkout of one commit so that its agent and hook configuration is another commit's. */
export type RestorePlan = {
  /** Files of the head that the base has not, or that may not stay: they go. */
  readonly remove: readonly string[];
  /** Files of the base that the head has otherwise or not at all. */
  readonly write: readonly TreeEntry[];
  /** Those of `write` that the head does not have: nothing in its index hides them from a commit. */
  readonly added: readonly string[];
  /** Links of the base that lead to files which the head may have changed: they are left out. */
  readonly leftOut: readonly string[];
};

/** Compares two commits, of which only the listed files are looked at. Pure. */
export function planRestore(head: readonly TreeEntry[], base: readonly TreeEntry[], leadsTo: (link: TreeEntry) => string): RestorePlan {
  const ours = new Map(head.filter(({ path }) => isProtected(path)).map((entry) => [entry.path, entry]));
  const folders = foldersOf(head);
  const files = new Set(head.filter(({ path }) => !isProtected(path)).map(({ path }) => path));
  const wanted = base.filter(({ mode, path }) => isProtected(path) && mode !== "160000" && hasPlace(path, folders, files));
  const [kept, leftOut] = [wanted.filter((entry) => isContained(entry, leadsTo)), wanted.filter((entry) => !isContained(entry, leadsTo)).map(({ path }) => path)];
  const theirs = new Set(kept.map(({ path }) => path));
  const write = kept.filter(({ path, mode, blob }) => ours.get(path)?.blob !== blob || ours.get(path)?.mode !== mode);
  return { remove: [...ours.keys()].filter((path) => !theirs.has(path)), write, added: write.flatMap(({ path }) => (ours.has(path) ? [] : [path])), leftOut };
}

/** Nested configuration counts only where the head still has the folder that it is about, as a folder. */
function hasPlace(path: string, folders: ReadonlySet<string>, files: ReadonlySet<string>): boolean {
  const parent = posix.dirname(rootOf(path) ?? path);
  return parent === "." || (folders.has(parent) && !files.has(parent));
}

/** A link may stay when what it leads to is protected as well; another file's content is the head's to choose. */
function isContained(entry: TreeEntry, leadsTo: (link: TreeEntry) => string): boolean {
  if (entry.mode !== "120000") return true;
  const target = leadsTo(entry);
  const path = posix.normalize(posix.join(posix.dirname(entry.path), target));
  return !posix.isAbsolute(target) && !path.startsWith("..") && isProtected(path);
}

/** The path up to its first protected part; null when it has none. */
function rootOf(path: string): string | null {
  const segments = path.split("/");
  const at = segments.findIndex((segment) => names.has(segment.toLowerCase()));
  if (at >= 0) return segments.slice(0, at + 1).join("/");
  const start = segments.slice(0, 2).join("/");
  return start.toLowerCase() === notes ? start : null;
}

function foldersOf(entries: readonly TreeEntry[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const { path } of entries) {
    for (let folder = posix.dirname(path); folder !== "." && !folders.has(folder); folder = posix.dirname(folder)) folders.add(folder);
  }
  return folders;
}

/** Reads `git ls-tree -r -z`. */
export function parseTree(text: string): readonly TreeEntry[] {
  return text.split("\0").flatMap((row) => {
    const tab = row.indexOf("\t");
    const [mode, , blob] = row.slice(0, tab).split(" ");
    return tab < 0 || mode === undefined || blob === undefined ? [] : [{ mode, blob, path: row.slice(tab + 1) }];
  });
}
