import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { ifAbsent } from "./if-absent.ts";
import type { Where } from "./git.ts";
import type { Layout } from "./layout.ts";
import type { Tools } from "./move-clone.ts";
import { copyIndexParts, type LargeFiles, type Seed } from "./own-repository.ts";
import { readHead, recordsOf } from "./records.ts";
import { writeDurably } from "./put-file.ts";

/**
 * Writes all files of a commit into a checkout, over whatever is there, and puts the checkout on
 * it; without one, those of the commit that it is on. `options` go before git's command.
 */
export async function writeHead(
  tools: Tools,
  layout: Layout,
  commit: string | null,
  url: LargeFiles | null,
  options: readonly string[] = [],
): Promise<void> {
  const records = await recordsOf(layout);
  const head = commit ?? (await readHead(records))?.commit ?? null;
  if (head === null) throw new Error(`${layout.checkout} has no commit checked out`);
  await withFiles(tools, layout, head, url, (where) =>
    tools.git.run(where, [...options, "reset", "--quiet", "--hard"], { minutes: 20 }),
  );
  if (commit !== null) await writeDurably(join(records.own, "HEAD"), `${commit}\n`);
}

/** Works on the files of a checkout and on its index, in a repository of ours that is at `head`. */
export const withFiles = <T>(
  tools: Tools,
  layout: Layout,
  head: string | null,
  url: LargeFiles | null,
  work: (where: Where) => Promise<T>,
): Promise<T> => onIndex(tools, layout, { purpose: "write-files", head, url }, work);

/** Works on the index of a checkout, and on its files without a look at what is in them. */
export const withIndex = <T>(
  tools: Tools,
  layout: Layout,
  work: (where: Where) => Promise<T>,
): Promise<T> => onIndex(tools, layout, { purpose: "look", head: null, url: null }, work);

async function onIndex<T>(
  { own }: Tools,
  layout: Layout,
  {
    purpose,
    head,
    url,
  }: Pick<Seed, "purpose"> & { readonly head: string | null; readonly url: LargeFiles | null },
  work: (where: Where) => Promise<T>,
): Promise<T> {
  const records = await recordsOf(layout);
  await removeOddIndex(records.own);
  return own(
    {
      common: records.common,
      workTree: layout.checkout,
      purpose,
      head,
      index: join(records.own, "index"),
      ...(url === null ? {} : { url }),
    },
    async (where) => {
      await copyIndexParts(records.own, where.repository.gitDir);
      return work(where);
    },
  );
}

/** Git writes an index where a link in its place leads to, and waits for a pipe. */
async function removeOddIndex(record: string): Promise<void> {
  for (const name of (await readdir(record)).filter(
    (each) => each === "index" || each === "index.lock",
  )) {
    const stat = await lstat(join(record, name)).catch(ifAbsent(null));
    if (stat !== null && !stat.isFile())
      await rm(join(record, name), { recursive: true, force: true });
  }
}
