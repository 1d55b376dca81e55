import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { joinMessages, type Message, outside, say } from "@loopwork/core/ports";
import type { Git } from "./git.ts";
import type { Tools } from "./move-clone.ts";
import { withIndex } from "./write-files.ts";
import type { Layout } from "./layout.ts";
import { decodeName, encodeName, fileAt, shownName } from "./names.ts";
import { hooksFolders } from "./hooks-folder.ts";
import { importsOf, type ReadBlobs } from "./imports.ts";
import { readPlain } from "./plain-file.ts";
import {
  isProtected,
  parseBlobs,
  parseTree,
  planRestore,
  type RestorePlan,
  type TreeEntry,
} from "./protected-paths.ts";
import { putFile } from "./put-file.ts";
import { removeFile } from "./remove-file.ts";
import { digestOf, type Restored, type RestoredFile, writeRestored } from "./restored-files.ts";
import { readHead, recordsOf } from "./records.ts";
import { recordOf } from "./worktree-record.ts";

/**
 * The commit whose agent and hook configuration is put in place, and the branch that it was taken
 * from.
 */
export type Base = { readonly commit: string; readonly branch: string };

/**
 * Puts the base's agent and hook configuration into a checkout whose head is not an authorized
 * person's, before anybody works there, and hides it from commits: in the index every file stays
 * what the head has, marked skip-worktree; files that only the base has are ignored in this work
 * tree alone. Can be done again after a crash.
 */
export async function restoreFromBase(tools: Tools, layout: Layout, base: Base): Promise<Restored> {
  const record = await recordOf(layout);
  const hooks = await hooksFolders(tools.git);
  const plan = await compare(tools, layout, base, hooks);
  for (const path of plan.remove) await removeFile(layout.checkout, path);
  // Where there is none, the large-file extension takes the one of the index, which is the head's.
  if (plan.remove.includes(".lfsconfig")) await putFile(join(layout.checkout, ".lfsconfig"), "");
  await writeFiles(tools, layout, plan.write);
  await hide(tools, layout, record, plan);
  const files: RestoredFile[] = [];
  for (const path of [...plan.write.map((entry) => entry.path), ...plan.remove]) {
    const digest = await digestOf(fileAt(layout.checkout, path));
    const stands = plan.added.includes(path) ? "added" : "replaced";
    files.push({ path, how: digest === null ? "removed" : stands, digest });
  }
  const restored = { base: base.commit, branch: base.branch, files };
  await writeRestored(layout.checkout, restored);
  return restored;
}

/** What the session is told; null when head and base agree. */
export function restoredNote({ branch, files }: Restored): Message | null {
  if (files.length === 0) return null;
  const shown = files
    .slice(0, 6)
    .map(({ path, how }) =>
      how === "removed"
        ? say`${outside(shownName(path))} (not there)`
        : say`${outside(shownName(path))}`,
    );
  const more = files.length > 6 ? say` and ${files.length - 6} more` : say``;
  return say`this head is not an authorized person's, so its agent and hook configuration is the one of ${outside(branch)}: ${joinMessages(shown, say`, `)}${more}. No commit carries this; the head's own version is in git show HEAD:<path>.`;
}

async function compare(
  { git, own }: Tools,
  layout: Layout,
  base: Base,
  hooks: readonly string[],
): Promise<RestorePlan> {
  const records = await recordsOf(layout);
  const head = (await readHead(records))?.commit ?? null;
  if (head === null) throw new Error(`${layout.checkout} has no commit checked out`);
  return own({ common: records.common, workTree: null, purpose: "look", head }, async (where) => {
    const list = async (commit: string): Promise<readonly TreeEntry[]> =>
      parseTree(
        await git.run(where, ["ls-tree", "-r", "-z", "--full-tree", "--end-of-options", commit]),
      );
    const [ours, theirs] = [await list(head), await list(base.commit)];
    const read: ReadBlobs = async (blobs) =>
      parseBlobs(
        await git.run(where, ["cat-file", "--batch"], {
          input: blobs.map((blob) => `${blob}\n`).join(""),
        }),
      );
    const imports = await importsOf(theirs, read);
    const links = theirs.filter(
      ({ mode, path }) =>
        mode === "120000" &&
        (isProtected(path) ||
          imports.includes(path) ||
          hooks.some((folder) => path.startsWith(`${folder}/`))),
    );
    const targets = links.length === 0 ? [] : await read(links.map(({ blob }) => blob));
    const leadsTo = new Map(links.map(({ path }, at) => [path, targets[at] ?? "/"]));
    return planRestore(ours, theirs, {
      leadsTo: ({ path }) => leadsTo.get(path) ?? "/",
      imports,
      hooks,
    });
  });
}

/**
 * Through an index of their own, so that git itself takes care of links and folders on the way. Byte
 * for byte: the attributes in the checkout are the head's.
 */
async function writeFiles(
  { git, own }: Tools,
  { clone, checkout }: Layout,
  entries: readonly TreeEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const common = join(clone, ".git");
  await own({ common, workTree: checkout, purpose: "look" }, async (where) => {
    await git.run(where, ["update-index", "-z", "--index-info"], {
      input: entries.map(({ mode, blob, path }) => `${mode} ${blob}\t${path}\0`).join(""),
    });
    await git.run(where, ["checkout-index", "--all", "--force", "--quiet"]);
  });
}

async function hide(
  tools: Tools,
  layout: Layout,
  record: string,
  { remove, write, added }: RestorePlan,
): Promise<void> {
  const tracked = [...remove, ...write.flatMap(({ path }) => (added.includes(path) ? [] : [path]))];
  if (tracked.length > 0)
    await withIndex(tools, layout, (where) =>
      tools.git.run(where, ["update-index", "-z", "--skip-worktree", "--stdin"], {
        input: tracked.map((path) => `${path}\0`).join(""),
      }),
    );
  if (added.length > 0) await ignore(tools.git, layout, record, added.map(excludePattern));
}

/**
 * Ignores files in one work tree. A clone of its own has a list of its own; worktrees share theirs,
 * so one gets another list by its configuration.
 */
async function ignore(
  git: Git,
  layout: Layout,
  record: string,
  patterns: readonly string[],
): Promise<void> {
  if (layout.kind === "clone") return addIgnored(record, patterns);
  const file = join(record, excludeName);
  await putFile(file, encodeName(`${await ownExcludes(git)}\n${patterns.join("\n")}\n`));
  await git.run({ kind: "nowhere" }, [
    "config",
    "--file",
    join(record, "config.worktree"),
    "core.excludesFile",
    file,
  ]);
}

/** What stood there and is no plain file is dropped, not followed. */
async function addIgnored(record: string, patterns: readonly string[]): Promise<void> {
  const file = join(record, "info", "exclude");
  const before = await readPlain(file, 1024 ** 2);
  const text = typeof before === "string" ? "" : decodeName(before);
  const kept = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  await mkdir(dirname(file), { recursive: true });
  await putFile(file, encodeName(`${kept}${patterns.join("\n")}\n`));
}

/** Name of the list of ignored files beside a worktree's record. */
const excludeName = "loop-exclude";

/**
 * Worktrees may have configuration of their own only where the clone says so; done under the
 * repository's lock.
 */
export async function allowOwnConfig(git: Git, layout: Layout): Promise<void> {
  if (layout.kind === "worktree")
    await git.run({ kind: "nowhere" }, [
      "config",
      "--file",
      join(layout.clone, ".git", "config"),
      "extensions.worktreeConfig",
      "true",
    ]);
}

/** What the user ignores everywhere: our list takes its place in that worktree. */
async function ownExcludes(git: Git): Promise<string> {
  const named = await git
    .run({ kind: "nowhere" }, [
      "config",
      "--includes",
      "--type=path",
      "--default",
      "~/.config/git/ignore",
      "--get",
      "core.excludesFile",
    ])
    .catch(() => "");
  return named.trim() === "" ? "" : readFile(encodeName(named.trim())).then(decodeName, () => "");
}

/**
 * A line of an exclude file that means this path: exactly, but for a line end in its name, which no
 * line can hold.
 */
export function excludePattern(path: string): string {
  return `/${path.replaceAll(/[\\*?[\]!# ]/g, (character) => `\\${character}`).replaceAll(/[\r\n]/g, "?")}`;
}
