import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseCandidate } from "@loopwork/core/learnings";
import { readPending } from "./pending-queue.ts";

/** Files of a repository's queue, and of what nobody vouched for. Nobody looks through more. */
const [mostPending, mostRefused] = [1_000, 200];

/**
 * Takes out of a queue what is more than `most`: first what is no candidate, then of the work item that has most of all its newest, so
 * that who floods the queue takes nobody else's place. Resolves to the names of what was dropped.
 */
export async function trimQueue(dir: string, most: number = mostPending): Promise<readonly string[]> {
  const over = (await namesOf(dir)).length - most;
  if (over <= 0) return [];
  const files = (await readPending(dir)).map(({ name, text }) => ({ name, read: parseCandidate(text) }));
  const byItem = new Map<string, string[]>();
  for (const { name, read } of files) if (read.ok) byItem.set(read.candidate.workItem, [...(byItem.get(read.candidate.workItem) ?? []), name]);
  const dropped = files.filter(({ read }) => !read.ok).map(({ name }) => name).slice(0, over);
  while (dropped.length < over) {
    const newest = [...byItem.values()].reduce((one, other) => (other.length > one.length ? other : one), []).pop();
    if (newest === undefined) break;
    dropped.push(newest);
  }
  for (const name of dropped) await rm(join(dir, name), { force: true });
  return dropped;
}

/** Takes the oldest of what nobody vouched for away, beyond `most`. Resolves to the names. */
export async function trimRefused(dir: string, most: number = mostRefused): Promise<readonly string[]> {
  const names = await namesOf(dir);
  const dropped = names.slice(0, Math.max(0, names.length - most));
  for (const name of dropped) await rm(join(dir, name), { force: true });
  return dropped;
}

async function namesOf(dir: string): Promise<readonly string[]> {
  return (await readdir(dir).catch(() => [])).filter((name) => name.endsWith(".yaml")).toSorted();
}
