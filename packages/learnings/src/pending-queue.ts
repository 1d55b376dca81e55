import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

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

/** All occurrences, oldest first; what is no occurrence of ours, or not whole yet, is left out. */
export async function readPending(dir: string): Promise<readonly PendingFile[]> {
  const names = await readdir(dir).catch(() => []);
  return Promise.all(names.filter((name) => nameGrammar.test(name)).toSorted().map(async (name) => ({ name, text: await readFile(join(dir, name), "utf8") })));
}
