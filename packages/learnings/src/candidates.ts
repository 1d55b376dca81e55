import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Candidate, formatCandidate, occurrenceOf, parseCandidate } from "@loopwork/core/learnings";
import { appendPending, readPending } from "./pending-queue.ts";

/** What a queue holds: candidates by the name of their file, and files that are none, with the reason. */
export type Queue = { readonly candidates: readonly { readonly name: string; readonly candidate: Candidate }[]; readonly refused: readonly { readonly name: string; readonly problem: string }[] };

/** Adds a candidate to a queue. The folder ignores itself, so that no commit carries it. */
export async function addCandidate(dir: string, candidate: Candidate): Promise<string> {
  const file = await appendPending(dir, candidate.id, formatCandidate(candidate));
  await writeFile(join(dir, ".gitignore"), "*\n");
  return file;
}

/** All candidates of a queue, the oldest first; the same occurrence once. */
export async function readQueue(dir: string): Promise<Queue> {
  const files = (await readPending(dir)).map(({ name, text }) => ({ name, read: parseCandidate(text) }));
  const candidates = files.flatMap(({ name, read }) => (read.ok ? [{ name, candidate: read.candidate }] : []));
  return { candidates, refused: files.flatMap(({ name, read }) => (read.ok ? [] : [{ name, problem: read.problem }])) };
}

/**
 * Moves candidates from a checkout's queue into another one that outlives the checkout. `accepts` says which are of the turn
 * that ended: a file that came with somebody's branch is not, and stays where it is. An occurrence that is there already is not added again.
 */
export async function collect(from: string, to: string, accepts: (candidate: Candidate) => boolean): Promise<{ readonly moved: number; readonly left: readonly string[] }> {
  const [source, known] = [await readQueue(from), await readQueue(to)];
  const seen = new Set(known.candidates.map(({ candidate }) => occurrenceOf(candidate)));
  const [mine, others] = [source.candidates.filter(({ candidate }) => accepts(candidate)), source.candidates.filter(({ candidate }) => !accepts(candidate))];
  for (const { name, candidate } of mine) {
    if (!seen.has(occurrenceOf(candidate))) await addCandidate(to, candidate);
    seen.add(occurrenceOf(candidate));
    await rm(join(from, name), { force: true });
  }
  return { moved: mine.length, left: [...others, ...source.refused].map(({ name }) => name) };
}

/** Takes candidates out of a queue: those that became part of a learning, were known, or expired. */
export async function removeCandidates(dir: string, ids: ReadonlySet<string>): Promise<void> {
  for (const { name, candidate } of (await readQueue(dir)).candidates) if (ids.has(candidate.id)) await rm(join(dir, name), { force: true });
}
