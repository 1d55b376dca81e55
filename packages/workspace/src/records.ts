import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { ifAbsent } from "./if-absent.ts";
import { createAtMost } from "./concurrency-limit.ts";
import { WorkspaceError } from "./failure.ts";
import type { Layout } from "./layout.ts";
import { decodeName, encodeName, entriesOf, fileAt, shownName } from "./names.ts";
import { readPlain } from "./plain-file.ts";
import { recordOf } from "./worktree-record.ts";

/**
 * Where the records of a work tree are: its own (HEAD, index) and those that it shares (references,
 * objects). A session can write all of them, so they are read here as data, and no git is ever told
 * to take them for its repository.
 */
export type Records = { readonly workTree: string; readonly own: string; readonly common: string };

/** The records of a checkout of ours that is known to stand. Throws when there are none. */
export async function recordsOf(layout: Layout): Promise<Records> {
  return {
    workTree: layout.checkout,
    own: await recordOf(layout),
    common: join(layout.clone, ".git"),
  };
}

/**
 * What is checked out: the branch, null on none; and the commit, null on a branch that has none
 * yet.
 */
export type Head = { readonly ref: string | null; readonly commit: string | null };

/** Null where the file says nothing that git would write there. */
export async function readHead({
  own,
  common,
}: Pick<Records, "own" | "common">): Promise<Head | null> {
  const bytes = await readPlain(join(own, "HEAD"));
  const text = typeof bytes === "string" ? "" : decodeName(bytes).trimEnd();
  if (isCommitId(text)) return { ref: null, commit: text };
  const ref = text.startsWith("ref: ") ? text.slice("ref: ".length) : "";
  return isRefName(ref) ? { ref, commit: await readRef(common, ref) } : null;
}

/** The id that one reference has; null when there is none. */
export async function readRef(common: string, name: string): Promise<string | null> {
  await refuseOtherFormat(common);
  return (await looseRef(common, name)) ?? (await packedRefs(common)).get(name) ?? null;
}

/** Every reference below these folders, which end with a slash, or with exactly such a name. */
export async function readRefs(
  common: string,
  below: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  await refuseOtherFormat(common);
  const isMeant = (name: string): boolean =>
    below.some((each) => (each.endsWith("/") ? name.startsWith(each) : name === each));
  const found = new Map([...(await packedRefs(common))].filter(([name]) => isMeant(name)));
  const few = createAtMost(filesAtOnce);
  const look = async (folder: string): Promise<void> => {
    const entries = (await isRealFolder(join(common, folder)))
      ? await entriesOf(join(common, folder))
      : [];
    await Promise.all(
      entries.map(async ({ name, entry }) => {
        const path = `${folder}/${name}`;
        if (entry.isDirectory()) return look(path);
        if (!isRefName(path) || !isMeant(path)) return;
        const id = await few(() => looseRef(common, path));
        if (id !== null) found.set(path, id);
      }),
    );
  };
  const tops = new Set(below.map((each) => each.split("/").slice(0, 2).join("/")));
  await Promise.all(
    [...tops].map((top) =>
      top === "refs/stash"
        ? looseRef(common, top).then((id) => void (id !== null && found.set(top, id)))
        : look(top),
    ),
  );
  return found;
}

/** Ids that a log of a reference names, newest first. Nothing where there is no log. */
export async function readLog(file: string): Promise<readonly string[]> {
  const bytes = await readPlain(file, mostBytes);
  if (bytes === "odd") throw notPlain(file);
  const lines = bytes === "none" ? [] : bytes.toString("latin1").split("\n");
  return lines
    .flatMap((line) =>
      line
        .slice(0, line.indexOf("\t") < 0 ? undefined : line.indexOf("\t"))
        .split(" ")
        .slice(0, 2),
    )
    .filter((id) => isCommitId(id) && !isNone(id))
    .toReversed();
}

/** Ids that all logs of a repository name. */
export async function readLogs(folder: string): Promise<readonly string[]> {
  if (!(await isRealFolder(folder))) return [];
  const found = await Promise.all(
    (await entriesOf(folder)).map(async ({ name, entry }) =>
      entry.isDirectory() ? readLogs(`${folder}/${name}`) : readLog(`${folder}/${name}`),
    ),
  );
  return found.flat();
}

/** Ids in a small file of git's, such as `MERGE_HEAD`. */
export async function readIds(file: string): Promise<readonly string[]> {
  const bytes = await readPlain(file);
  if (bytes === "odd") throw notPlain(file);
  return bytes === "none"
    ? []
    : bytes
        .toString("latin1")
        .split("\n")
        .map((line) => line.split("\t")[0]?.trim() ?? "")
        .filter(isCommitId);
}

/**
 * Refuses what a command of ours would be led through: a link on the way to where git keeps
 * objects, references, worktrees and large files.
 */
export async function refuseLinkedRecords(common: string): Promise<void> {
  for (const folder of [
    "",
    "objects",
    "objects/info",
    "objects/pack",
    "refs",
    "refs/heads",
    "refs/tags",
    "refs/remotes",
    "refs/remotes/origin",
    "refs/loop",
    "refs/loop/pull",
    "logs",
    "logs/refs",
    "logs/refs/heads",
    "logs/refs/remotes",
    "logs/refs/remotes/origin",
    "info",
    "worktrees",
  ]) {
    const stat = await lstat(join(common, folder)).catch(ifAbsent(null));
    if (stat !== null && !stat.isDirectory())
      throw changed(`${join(common, folder)} is no folder, but a link or the like`);
  }
  for (const file of ["HEAD", "index", "packed-refs", "shallow"]) {
    const stat = await lstat(join(common, file)).catch(ifAbsent(null));
    if (stat !== null && !stat.isFile()) throw notPlain(join(common, file));
  }
  await refuseLinksBelow(join(common, "lfs"));
}

/** The large-file extension writes into any of these folders. */
async function refuseLinksBelow(folder: string): Promise<void> {
  const stat = await lstat(encodeName(folder)).catch(ifAbsent(null));
  if (stat === null) return;
  if (!stat.isDirectory()) throw changed(`${folder} is no folder, but a link or the like`);
  for (const { name, entry } of await entriesOf(folder)) {
    if (!entry.isFile()) await refuseLinksBelow(`${folder}/${name}`);
  }
}

/** What a repository of 100,000 branches needs, with room. */
const mostBytes = 256 * 1024 ** 2;
/** Enough to keep the file system busy, few enough to leave files to open for others. */
const filesAtOnce = 32;

async function looseRef(common: string, name: string): Promise<string | null> {
  const bytes = await readPlain(fileAt(common, name));
  if (bytes === "none") return null;
  const text = bytes === "odd" ? "" : bytes.toString("latin1").trimEnd();
  if (bytes === "odd" && !(await isRealFolder(join(common, name))))
    throw notPlain(join(common, name));
  return isCommitId(text) ? text : null;
}

export async function packedRefs(common: string): Promise<ReadonlyMap<string, string>> {
  const bytes = await readPlain(join(common, "packed-refs"), mostBytes);
  if (bytes === "odd") throw notPlain(join(common, "packed-refs"));
  const rows = bytes === "none" ? [] : decodeName(bytes).split("\n");
  return new Map(
    rows.flatMap((row) => {
      const [id, name] = [row.slice(0, row.indexOf(" ")), row.slice(row.indexOf(" ") + 1)];
      return isCommitId(id) && isRefName(name) ? [[name, id] as const] : [];
    }),
  );
}

export async function refuseOtherFormat(common: string): Promise<void> {
  if ((await readdir(join(common, "reftable")).catch(() => null)) !== null)
    throw changed(`${common} keeps its references in the format reftable, which is not read here`);
}

const isRealFolder = (path: string): Promise<boolean> =>
  lstat(path).then(
    (stat) => stat.isDirectory(),
    () => false,
  );
const isNone = (id: string): boolean => /^0+$/.test(id.slice(0, 64));

/** Whether the text is an id of git's: 40 or 64 digits. */
export const isCommitId = (text: string): boolean =>
  (text.length === 40 || text.length === 64) && /^[0-9a-f]{40,64}$/.test(text);

/** Names that git accepts, whatever bytes they have. */
export function isRefName(name: string): boolean {
  if (
    !name.startsWith("refs/") ||
    name.length > 1_000 ||
    name.includes("..") ||
    name.includes("@{") ||
    name.endsWith(".")
  )
    return false;
  for (const character of name)
    if (character <= " " || character === "\u{7f}" || "~^:?*[\\".includes(character)) return false;
  return name
    .split("/")
    .every((part) => part !== "" && !part.startsWith(".") && !part.endsWith(".lock"));
}

const notPlain = (file: string): WorkspaceError =>
  changed(`${file} is no plain file, but a link or the like`);

function changed(what: string): WorkspaceError {
  return new WorkspaceError(
    "LOOP_E_WORKSPACE_RECORDS",
    `${shownName(what)}.`,
    "A session or a person changed git's own files there. Put them back by hand; nothing there was touched.",
  );
}
