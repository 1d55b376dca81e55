import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseCandidate } from "@loopwork/core/learnings";
import { readPending } from "./pending-queue.ts";

/** Files of a repository's queue, and of what nobody vouched for. Nobody looks through more. */
const [mostPending, mostRefused] = [1_000, 200];

/**
 * Takes out of a queue what is more than `most`: first what is no candidate, then of the work item
 * that has most of all what it noted last, so that who floods the queue takes nobody else's place.
 * Resolves to the names of what was dropped.
 */
export async function trimQueue(
  dir: string,
  most: number = mostPending,
): Promise<readonly string[]> {
  const over = (await namesOf(dir)).length - most;
  if (over <= 0) return [];
  const files = (await readPending(dir)).map(({ name, text }) => ({
    name,
    read: parseCandidate(text),
  }));
  const candidates = files.flatMap(({ name, read }) =>
    read.ok ? [{ name, at: read.candidate.at, workItem: read.candidate.workItem }] : [],
  );
  const byItem = new Map<string, string[]>();
  for (const { name, workItem } of candidates.toSorted(
    (one, other) => one.at - other.at || (one.name < other.name ? -1 : 1),
  ))
    byItem.set(workItem, [...(byItem.get(workItem) ?? []), name]);
  const dropped = files
    .filter(({ read }) => !read.ok)
    .map(({ name }) => name)
    .slice(0, over);
  while (dropped.length < over) {
    const newest = [...byItem.values()]
      .reduce((one, other) => (other.length > one.length ? other : one), [])
      .pop();
    if (newest === undefined) break;
    dropped.push(newest);
  }
  for (const name of dropped) await rm(join(dir, name), { force: true });
  return dropped;
}

/**
 * Takes away what nobody vouched for and was kept first, beyond `most`: who wrote the files chose
 * their names. Resolves to the names.
 */
export async function trimRefused(
  dir: string,
  most: number = mostRefused,
): Promise<readonly string[]> {
  const names = await namesOf(dir);
  if (names.length <= most) return [];
  const kept = await Promise.all(
    names.map(async (name) => ({
      name,
      at: await lstat(join(dir, name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    })),
  );
  const dropped = kept
    .toSorted((one, other) => one.at - other.at || (one.name < other.name ? -1 : 1))
    .slice(0, names.length - most)
    .map(({ name }) => name);
  for (const name of dropped) await rm(join(dir, name), { force: true });
  return dropped;
}

async function namesOf(dir: string): Promise<readonly string[]> {
  return (await readdir(dir).catch(() => [])).filter((name) => name.endsWith(".yaml")).toSorted();
}
