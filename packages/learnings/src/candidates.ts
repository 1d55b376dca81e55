import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { LoopError } from "@loopwork/core/ports";
import {
  type Candidate,
  formatCandidate,
  occurrenceOf,
  parseCandidate,
} from "@loopwork/core/learnings";
import {
  appendPending,
  freeId,
  idOf,
  isLink,
  readPending,
  type Refused,
  unreadPending,
} from "./pending-queue.ts";
import { putWhole } from "./safe-files.ts";

/**
 * What a queue holds: candidates by the name of their file, and files that are none, with the
 * reason.
 */
export type Queue = {
  readonly candidates: readonly { readonly name: string; readonly candidate: Candidate }[];
  readonly refused: readonly Refused[];
};

/**
 * Adds a candidate to a queue. The folder ignores itself, so that no commit carries it. Rejects
 * with `LOOP_E_LEARNINGS_FILE` where the folder is a link: a branch may have brought it.
 */
export async function addCandidate(dir: string, candidate: Candidate): Promise<string> {
  if (await isLink(dir))
    throw new LoopError(
      "LOOP_E_LEARNINGS_FILE",
      `${dir} is reached by a symbolic link`,
      "Remove the link: candidates are kept in a real directory",
    );
  const file = await appendPending(dir, candidate.id, formatCandidate(candidate));
  const ignores = join(dir, ".gitignore");
  await putWhole(ignores, "*\n", `${randomUUID()}.tmp`);
  return file;
}

/**
 * All candidates of a queue, the oldest first. Each goes by its file's name, whatever id stands in
 * it: two files are two.
 */
export async function readQueue(dir: string): Promise<Queue> {
  const files = (await readPending(dir)).map(({ name, text }) => ({
    name,
    read: parseCandidate(text),
  }));
  const candidates = files.flatMap(({ name, read }) =>
    read.ok ? [{ name, candidate: { ...read.candidate, id: idOf(name) } }] : [],
  );
  const refused = [
    ...files.flatMap(({ name, read }) => (read.ok ? [] : [{ name, problem: read.problem }])),
    ...(await unreadPending(dir)),
  ];
  return {
    candidates: candidates.toSorted(
      (one, other) => one.candidate.at - other.candidate.at || (one.name < other.name ? -1 : 1),
    ),
    refused,
  };
}

/**
 * How a checkout's queue is emptied: `tracked` are names that came with a branch, `vouch` says what
 * a candidate is worth to us, `refused` is where the others go.
 */
export type Collecting = {
  readonly tracked: ReadonlySet<string>;
  readonly vouch: (candidate: Candidate, text: string) => Candidate | null;
  readonly refused: string | null;
};

/**
 * How many candidates were taken over, which files stay where they are, and which are kept aside,
 * with the reasons.
 */
export type Collected = {
  readonly moved: number;
  readonly left: readonly Refused[];
  readonly aside: readonly Refused[];
};

/**
 * Moves candidates from a checkout's queue into another one that outlives the checkout. A file that
 * came with somebody's branch is none and stays. What nobody vouches for is kept aside in
 * `refused`, or stays where that is null. An occurrence that is there already is not added again, a
 * name that is taken by another one gives way, and a file goes only when it stands elsewhere, so
 * that doing it again after a crash loses and doubles nothing.
 */
export async function collect(
  from: string,
  to: string,
  { tracked, vouch, refused }: Collecting,
): Promise<Collected> {
  const [files, known, unread] = [
    await readPending(from),
    await readQueue(to),
    await unreadPending(from),
  ];
  const seen = new Set(known.candidates.map(({ candidate }) => occurrenceOf(candidate)));
  const [left, aside]: [Refused[], Refused[]] = [[], []];
  let moved = 0;
  for (const { name, text } of files) {
    const vouched = tracked.has(name) ? cameWithBranch : vouchedFor(name, text, vouch);
    if (typeof vouched !== "string") {
      if (!seen.has(occurrenceOf(vouched)))
        await addCandidate(to, {
          ...vouched,
          id: await freeId(to, vouched.id, formatCandidate(vouched)),
        });
      seen.add(occurrenceOf(vouched));
      moved += 1;
    } else if (tracked.has(name) || refused === null) {
      left.push({ name, problem: vouched });
      continue;
    } else {
      await appendPending(refused, await freeId(refused, idOf(name), text), text);
      aside.push({ name, problem: vouched });
    }
    await rm(join(from, name), { force: true });
  }
  return { moved, left: [...left, ...unread], aside };
}

/** Why a file that is tracked by git is no candidate. */
export const cameWithBranch = "it came with a branch, so nobody knows who wrote it";

/** What a file is worth to us; why it is nothing. */
function vouchedFor(name: string, text: string, vouch: Collecting["vouch"]): Candidate | string {
  const read = parseCandidate(text);
  return read.ok
    ? (vouch({ ...read.candidate, id: idOf(name) }, text) ?? "nobody vouches for what it says")
    : read.problem;
}
