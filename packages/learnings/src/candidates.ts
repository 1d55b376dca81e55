import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LoopError } from "@loopwork/core/errors";
import { type Candidate, formatCandidate, occurrenceOf, parseCandidate } from "@loopwork/core/learnings";
import { appendPending, isLink, readPending } from "./pending-queue.ts";

/** What a queue holds: candidates by the name of their file, and files that are none, with the reason. */
export type Queue = { readonly candidates: readonly { readonly name: string; readonly candidate: Candidate }[]; readonly refused: readonly { readonly name: string; readonly problem: string }[] };

/** Adds a candidate to a queue. The folder ignores itself, so that no commit carries it. Rejects with `LOOP_E_LEARNINGS_FILE` where the folder is a link: a branch may have brought it. */
export async function addCandidate(dir: string, candidate: Candidate): Promise<string> {
  if (await isLink(dir)) throw new LoopError("LOOP_E_LEARNINGS_FILE", `${dir} is reached by a symbolic link`, "candidates are kept in a plain folder; remove the link");
  const file = await appendPending(dir, candidate.id, formatCandidate(candidate));
  const ignores = join(dir, ".gitignore");
  await writeFile(`${ignores}.tmp`, "*\n");
  await rename(`${ignores}.tmp`, ignores);
  return file;
}

/** All candidates of a queue, the oldest first; the same occurrence once. */
export async function readQueue(dir: string): Promise<Queue> {
  const files = (await readPending(dir)).map(({ name, text }) => ({ name, read: parseCandidate(text) }));
  const candidates = files.flatMap(({ name, read }) => (read.ok ? [{ name, candidate: read.candidate }] : []));
  return { candidates, refused: files.flatMap(({ name, read }) => (read.ok ? [] : [{ name, problem: read.problem }])) };
}

/** How a checkout's queue is emptied: `tracked` are names that came with a branch, `vouch` says what a candidate is worth to us, `refused` is where the others go. */
export type Collecting = { readonly tracked: ReadonlySet<string>; readonly vouch: (candidate: Candidate, text: string) => Candidate | null; readonly refused: string | null };

/**
 * Moves candidates from a checkout's queue into another one that outlives the checkout. A file that came with somebody's branch is
 * none and stays. What nobody vouches for is kept aside in `refused`, or stays where that is null. An occurrence that is there already is not
 * added again, and a file goes only when it stands elsewhere, so that doing it again after a crash loses and doubles nothing.
 */
export async function collect(from: string, to: string, { tracked, vouch, refused }: Collecting): Promise<{ readonly moved: number; readonly left: readonly string[] }> {
  const [files, known] = [await readPending(from), await readQueue(to)];
  const seen = new Set(known.candidates.map(({ candidate }) => occurrenceOf(candidate)));
  const left: string[] = [];
  let moved = 0;
  for (const { name, text } of files) {
    const read = parseCandidate(text);
    const candidate = tracked.has(name) || !read.ok ? null : vouch(read.candidate, text);
    if (candidate === null && (tracked.has(name) || refused === null)) {
      left.push(name);
      continue;
    }
    if (candidate === null) await appendPending(refused ?? to, name.slice(0, -".yaml".length), text);
    else if (!seen.has(occurrenceOf(candidate))) await addCandidate(to, candidate);
    if (candidate !== null) seen.add(occurrenceOf(candidate));
    moved += candidate === null ? 0 : 1;
    await rm(join(from, name), { force: true });
  }
  return { moved, left };
}
