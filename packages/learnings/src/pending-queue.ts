import { lstat, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * The queue of learning candidates (service.md 2.4): one file an occurrence, so that writers never wait for each other.
 * A file appears whole, by rename, and is never changed; names sort by time.
 */
export type PendingFile = { readonly name: string; readonly text: string };

const nameGrammar = /^[0-9a-z][0-9a-z-]{0,80}\.yaml$/;

/** Adds one occurrence. `id` sorts by time and is unique; an id that is there already is left as it is. Resolves to the file's path. */
export async function appendPending(dir: string, id: string, text: string): Promise<string> {
  const name = `${id}.yaml`;
  if (!nameGrammar.test(name)) throw new TypeError(`${JSON.stringify(id.slice(0, 90))} cannot name an occurrence`);
  await mkdir(dir, { recursive: true });
  const file = join(dir, name);
  if ((await readdir(dir)).includes(name)) return file;
  await writeFile(`${file}.tmp`, text);
  await rename(`${file}.tmp`, file);
  return file;
}

/** All occurrences, oldest first; what is no occurrence of ours, or not whole yet, is left out. Links, pipes and what is too large are not read: an agent may have put anything there. */
export async function readPending(dir: string): Promise<readonly PendingFile[]> {
  if (await isLink(dir)) return [];
  const names = (await readdir(dir).catch(() => [])).filter((name) => nameGrammar.test(name)).toSorted().slice(0, mostAtOnce);
  const read = await Promise.all(names.map(async (name) => ((await isReadable(join(dir, name))) ? [{ name, text: await readFile(join(dir, name), "utf8") }] : [])));
  return read.flat();
}

/** A candidate has well under these bytes, and no queue of ours more files than these; of a checkout that somebody floods the rest waits. */
const [mostBytes, mostAtOnce] = [16_384, 2_000];

async function isReadable(file: string): Promise<boolean> {
  return lstat(file).then((found) => found.isFile() && found.size <= mostBytes, () => false);
}

/** The folder or the one it lies in leads elsewhere. */
export async function isLink(dir: string): Promise<boolean> {
  const found = await Promise.all([dir, dirname(dir)].map((path) => lstat(path).catch(() => null)));
  return found.some((each) => each?.isSymbolicLink() === true);
}
