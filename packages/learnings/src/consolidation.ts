import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { LoopError } from "@loopwork/core/errors";
import { consolidate, type ConsolidationFacts, formatCandidate, type Plan } from "@loopwork/core/learnings";
import { applyFiles } from "./apply-plan.ts";
import { readQueue, removeCandidates } from "./candidates.ts";
import { type FileEdit, filesOf } from "./plan-files.ts";
import { readBook } from "./read-book.ts";
import { readRules } from "./rule-files.ts";

/** What a consolidation would do: the decisions, the files, and the queue's files that are no candidates. */
export type Consolidation = { readonly plan: Plan; readonly edits: readonly FileEdit[]; readonly refused: readonly { readonly name: string; readonly problem: string }[] };

/** Plans a consolidation of a repository's queue, and writes nothing. `now` in milliseconds since 1970. */
export async function planConsolidation(root: string, queueDir: string, now: number, verdicts: ConsolidationFacts["verdicts"] = new Map()): Promise<Consolidation> {
  await refuseGuest(root);
  const [standing, rules, queue] = [await readBook(root), await readRules(root), await readQueue(queueDir)];
  const plan = consolidate({ book: standing.book, candidates: queue.candidates.map(({ candidate }) => candidate), rules, verdicts, now });
  return { plan, edits: filesOf(standing, plan, now), refused: queue.refused };
}

/** Carries a planned consolidation out: the files first, then the queue, so that nothing is lost in between. */
export async function carryOut(root: string, queueDir: string, journalDir: string, { plan, edits }: Consolidation): Promise<void> {
  await refuseGuest(root);
  if (plan.tooLarge) throw new LoopError("LOOP_E_LEARNINGS_SIZE", "the index would have 200 lines or more, or more than 24,000 bytes", "unpin learnings, or shorten what you wrote around the block in docs/learnings/learnings.md; nothing was written");
  const done = new Set([...plan.changes.flatMap(({ candidates }) => candidates), ...plan.known.flatMap(({ candidates }) => candidates), ...plan.expired]);
  const consumed = (await readQueue(queueDir)).candidates.filter(({ candidate }) => done.has(candidate.id)).map(({ name, candidate }) => ({ name, text: formatCandidate(candidate) }));
  await applyFiles(root, edits, journalDir, consumed);
  await removeCandidates(queueDir, done);
}

/** A repository without `.loop/` invited us as a guest: nothing of ours is put into it (service.md 1.8). */
export async function refuseGuest(root: string): Promise<void> {
  const found = await lstat(join(root, ".loop")).catch(() => null);
  if (found?.isDirectory() !== true) throw new LoopError("LOOP_E_LEARNINGS_GUEST", `${root} has no .loop folder, so it is not a repository of this service`, "create .loop/ in it where its people want learnings kept there");
}
