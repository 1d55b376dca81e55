import { type FileHandle, lstat, open, readdir, rename, rm, rmdir, unlink } from "node:fs/promises";
import { join, posix } from "node:path";
import { ifAbsent } from "./if-absent.ts";
import { WorkspaceError } from "./failure.ts";
import { decodeName, encodeName, entriesOf, fileAt, shownName } from "./names.ts";
import { inFolder, isCode } from "./no-follow-folder.ts";
import { writeDurably } from "./put-file.ts";
import { isCommitId, isRefName, packedRefs, readRef, refuseOtherFormat } from "./records.ts";
import { readPlain } from "./plain-file.ts";

/** What a reference is to be, null for none. With `from` it changes only where it is still that. */
export type RefChange = { readonly to: string | null; readonly from?: string };
export type RefChanges = ReadonlyMap<string, RefChange>;

/** From so many on, references go into the one packed file: a first fetch may bring thousands. */
const mostLoose = 100;

/**
 * Changes references of a clone. Written by hand, as git writes them and under its locks: git
 * itself would go through any link that a session left in a clone, and write logs there. What is
 * gone goes first: one branch may have the name of another's folder.
 */
export async function changeRefs(
  clone: string,
  changes: RefChanges,
  packs: boolean = [...changes.values()].filter(({ to }) => to !== null).length > mostLoose,
): Promise<void> {
  if (changes.size === 0) return;
  for (const [name, { to }] of changes) {
    const fits = isRefName(name) && (to === null || isCommitId(to));
    if (!fits) throw new Error(`${shownName(name)} is no reference that can be changed`);
  }
  await refuseOtherFormat(join(clone, ".git"));
  await changePacked(clone, changes, packs);
  const entries = [...changes];
  for (const [folder, names] of byFolder(entries.filter(([, { to }]) => packs || to === null))) {
    await removeLoose(clone, folder, names, changes);
  }
  if (packs) return;
  for (const [folder, names] of byFolder(entries.filter(([, { to }]) => to !== null))) {
    await writeLoose(clone, folder, names, changes);
  }
}

/** Puts all of these references into the packed file, except what somebody changes meanwhile. */
export async function packRefs(clone: string, refs: ReadonlyMap<string, string>): Promise<void> {
  await changeRefs(
    clone,
    new Map([...refs].map(([name, id]) => [name, { to: id, from: id }])),
    true,
  );
}

/** Puts a clone on a branch, or on a commit. No log is written. */
export async function changeHead(clone: string, to: string): Promise<void> {
  const text = isCommitId(to) ? `${to}\n` : `ref: ${to}\n`;
  await needed(
    inFolder(clone, [".git"], async (folder) => {
      await writeDurably(join(folder, "HEAD"), text);
      return true;
    }),
    clone,
  );
}

/** Rewrites the packed file as a whole, where it has what goes or is to have what comes. */
async function changePacked(clone: string, changes: RefChanges, packs: boolean): Promise<void> {
  const known = await packedRefs(join(clone, ".git"));
  const isMeant = (name: string, { to }: RefChange): boolean =>
    to === null ? known.has(name) : packs && known.get(name) !== to;
  if (![...changes].some(([name, change]) => isMeant(name, change))) return;
  await needed(
    inFolder(clone, [".git"], async (folder) => {
      await underLock(folder, "packed-refs", join(clone, ".git"), async (lock) => {
        const bytes = await readPlain(join(folder, "packed-refs"), Number.MAX_SAFE_INTEGER);
        const text = typeof bytes === "string" ? "" : decodeName(bytes);
        await lock.writeFile(encodeName(repacked(text, changes, packs)));
        return true;
      });
      return true;
    }),
    clone,
  );
}

/** The packed file with other references. Sorted by bytes, as git looks names up. */
function repacked(text: string, changes: RefChanges, packs: boolean): string {
  const kept: { readonly name: string; readonly rows: string[] }[] = [];
  for (const row of text.split("\n").filter((each) => each !== "" && !each.startsWith("#"))) {
    if (row.startsWith("^")) kept.at(-1)?.rows.push(row);
    else kept.push({ name: row.slice(row.indexOf(" ") + 1), rows: [row] });
  }
  const came = [...changes].flatMap(([name, { to }]) => (packs && to !== null ? [[name, to]] : []));
  const gone = new Set(
    [...changes].flatMap(([name, { to }]) => (packs || to === null ? [name] : [])),
  );
  const all = [
    ...kept.filter(({ name }) => !gone.has(name)),
    ...came.map(([name = "", id = ""]) => ({ name, rows: [`${id} ${name}`] })),
  ].map((entry) => ({ ...entry, key: encodeName(entry.name) }));
  // Of what comes nobody has looked what its tags lead to, so the file doesn't say that it tells.
  const first = text.startsWith("#") ? `${text.split("\n", 1)[0] ?? ""}\n` : "";
  const header = came.length === 0 ? first : "# pack-refs with: sorted \n";
  const sorted = all.toSorted((one, other) => Buffer.compare(one.key, other.key));
  return `${header}${sorted.map(({ rows }) => `${rows.join("\n")}\n`).join("")}`;
}

function byFolder(
  entries: readonly (readonly [string, RefChange])[],
): ReadonlyMap<string, readonly string[]> {
  const folders = new Map<string, string[]>();
  for (const [name] of entries) {
    const folder = posix.dirname(name);
    const names = folders.get(folder) ?? [];
    names.push(posix.basename(name));
    folders.set(folder, names);
  }
  return folders;
}

/** Loose files go, with their logs and the folders that are empty then, as git does it. */
async function removeLoose(
  clone: string,
  folder: string,
  names: readonly string[],
  changes: RefChanges,
): Promise<void> {
  const common = join(clone, ".git");
  const segments = folder.split("/");
  await inFolder(common, segments, async (at) => {
    const standing = new Set(
      (await entriesOf(at)).flatMap(({ name, entry }) => (entry.isDirectory() ? [] : [name])),
    );
    for (const name of names.filter((each) => standing.has(each))) {
      await underLock(at, name, join(common, folder), async () => {
        const { from } = changes.get(`${folder}/${name}`) ?? {};
        if (from === undefined || (await looseId(at, name)) === from)
          await unlink(fileAt(at, name));
        return false;
      });
    }
  });
  await removeEmpty(common, segments);
  const gone = names.filter((name) => changes.get(`${folder}/${name}`)?.to === null);
  if (gone.length === 0) return;
  // Whatever keeps a log from going, it is nothing that anybody needs.
  await inFolder(common, ["logs", ...segments], async (at) => {
    for (const name of gone) await unlink(fileAt(at, name)).catch(() => undefined);
  }).catch(() => null);
  await removeEmpty(join(common, "logs"), segments).catch(() => undefined);
}

/** Folders of branches that hold nothing, up to that of all branches of one place. */
async function removeEmpty(from: string, segments: readonly string[]): Promise<void> {
  for (let depth = segments.length; depth > 3; depth -= 1) {
    const name = segments[depth - 1] ?? "";
    const gone = await inFolder(from, segments.slice(0, depth - 1), (above) =>
      rmdir(fileAt(above, name)).then(
        () => true,
        () => false,
      ),
    );
    if (gone !== true) return;
  }
}

async function writeLoose(
  clone: string,
  folder: string,
  names: readonly string[],
  changes: RefChanges,
): Promise<void> {
  const common = join(clone, ".git");
  await needed(
    inFolder(
      common,
      folder.split("/"),
      async (at) => {
        for (const name of names) {
          const { to, from } = changes.get(`${folder}/${name}`) ?? { to: null };
          await underLock(at, name, join(common, folder), async (lock) => {
            if (from !== undefined) await refuseOther(common, `${folder}/${name}`, from);
            await lock.writeFile(`${to ?? ""}\n`);
            return true;
          });
        }
        return true;
      },
      { make: 0o777 },
    ),
    clone,
  );
}

async function refuseOther(common: string, name: string, from: string): Promise<void> {
  const at = await readRef(common, name);
  if (at !== from) throw failure(`${shownName(name)} is at ${at ?? "no commit"}, not at ${from}`);
}

async function looseId(folder: string, name: string): Promise<string | null> {
  const bytes = await readPlain(fileAt(folder, name));
  return typeof bytes === "string" ? null : bytes.toString("latin1").trimEnd();
}

/**
 * Holds git's lock of a file in a folder that was reached without links. Where `work` returns true,
 * what it wrote into the lock takes the file's place; what stood there is not written through.
 */
async function underLock(
  folder: string,
  name: string,
  shown: string,
  work: (lock: FileHandle) => Promise<boolean>,
): Promise<void> {
  const lock = fileAt(folder, `${name}.lock`);
  const handle = await takeLock(lock, join(shown, `${name}.lock`));
  let isHeld = true;
  try {
    const replaces = await work(handle);
    if (replaces) await handle.sync();
    await handle.close();
    if (!replaces) return;
    await replace(lock, folder, name);
    isHeld = false;
  } finally {
    await handle.close().catch(() => undefined);
    if (isHeld) await rm(lock, { force: true });
  }
}

async function takeLock(lock: Buffer, shown: string): Promise<FileHandle> {
  const taken = (): Promise<FileHandle> => open(lock, "wx", 0o666);
  return taken().catch(async (error: unknown) => {
    if (!isCode(error, "EEXIST")) throw error;
    const stat = await lstat(lock).catch(ifAbsent(null));
    // No git locks with a link or a pipe.
    if (stat !== null && !stat.isFile() && !stat.isDirectory()) {
      await unlink(lock);
      return taken();
    }
    // In git's words, for those who wait until its maker is done or dead.
    throw failure(`Unable to create '${shown}': File exists.`);
  });
}

/** A folder in the file's place goes where it is empty: one of a branch that is gone. */
async function replace(lock: Buffer, folder: string, name: string): Promise<void> {
  await rename(lock, fileAt(folder, name)).catch(async (error: unknown) => {
    if (!isCode(error, "EISDIR", "ENOTEMPTY", "EEXIST")) throw error;
    await removeHollow(folder, name);
    await rename(lock, fileAt(folder, name));
  });
}

async function removeHollow(folder: string, name: string): Promise<void> {
  await inFolder(folder, [name], async (at) => {
    for (const each of await readdir(encodeName(at), { encoding: "buffer" })) {
      await removeHollow(at, decodeName(each));
    }
  });
  await rmdir(fileAt(folder, name));
}

async function needed(done: Promise<boolean | null>, clone: string): Promise<void> {
  if ((await done) === null) throw failure(`${join(clone, ".git")} is gone`);
}

function failure(what: string): WorkspaceError {
  const error = new WorkspaceError(
    "LOOP_E_WORKSPACE_GIT",
    `A reference could not be changed: ${what}`,
    "Look at the folder by hand; it is not touched again before the next try.",
  );
  error.cause = new Error(what);
  return error;
}
