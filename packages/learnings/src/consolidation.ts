import { LoopError } from "@loopwork/core/ports";
import {
  consolidate,
  type ConsolidationFacts,
  formatCandidate,
  type Plan,
} from "@loopwork/core/learnings";
import { applyFiles, refuseChanged } from "./apply-plan.ts";
import { keepCarried } from "./unmerged-candidates.ts";
import { readQueue } from "./candidates.ts";
import { takenElsewhere } from "./journal.ts";
import { keepLastId, readLastId } from "./last-id.ts";
import type { PendingFile, Refused } from "./pending-queue.ts";
import type { Places } from "./places.ts";
import { type FileEdit, filesOf } from "./plan-files.ts";
import { readBook } from "./read-book.ts";
import { readRules } from "./rule-files.ts";

/**
 * What a consolidation would do: the decisions, the files, and the queue's files that are no
 * candidates.
 */
export type Consolidation = {
  readonly plan: Plan;
  readonly edits: readonly FileEdit[];
  readonly refused: readonly Refused[];
};

/**
 * Asks somebody about what a plan is not sure of; gives verdicts by the id of the earliest
 * candidate, also of none.
 */
export type Ask = (unsure: Plan["unsure"]) => Promise<ConsolidationFacts["verdicts"]>;

/**
 * Plans a consolidation of a repository's queue, and writes nothing. `now` in milliseconds since
 * 1970.
 */
export async function planConsolidation(
  root: string,
  { queue: queueDir, ids, journal, isChosen }: Omit<Places, "carried">,
  now: number,
  ask: Ask | null = null,
): Promise<Consolidation> {
  await refuseGuest(root, isChosen);
  const [standing, rules, queue, lastId] = [
    await readBook(root),
    await readRules(root),
    await readQueue(queueDir),
    await readLastId(ids),
  ];
  const elsewhere = await takenElsewhere(journal, root);
  const facts = {
    book: standing.book,
    candidates: queue.candidates
      .filter(({ name }) => !elsewhere.has(name))
      .map(({ candidate }) => candidate),
    rules,
    verdicts: new Map(),
    lastId,
    now,
  };
  const alone = consolidate(facts);
  const plan =
    ask === null || alone.unsure.length === 0
      ? alone
      : consolidate({ ...facts, verdicts: await ask(alone.unsure) });
  return { plan, edits: filesOf(standing, plan, now), refused: queue.refused };
}

/**
 * Carries a planned consolidation out. What is given and taken is put down before any file of the
 * repository changes, and the queue comes last, so that nothing is lost or doubled wherever it is
 * cut off.
 */
export async function carryOut(
  root: string,
  places: Places,
  { plan, edits }: Consolidation,
): Promise<void> {
  await refuseGuest(root, places.isChosen);
  if (plan.tooLarge)
    throw new LoopError(
      "LOOP_E_LEARNINGS_SIZE",
      "The index would have 200 lines or more, or more than 24,000 bytes",
      "Nothing was written. Unpin learnings, or shorten what you wrote around the block in docs/learnings/learnings.md.",
    );
  await refuseChanged(root, edits);
  const changed = new Set(plan.changes.flatMap(({ candidates }) => candidates));
  const done = new Set([
    ...changed,
    ...plan.known.flatMap(({ candidates }) => candidates),
    ...plan.expired,
  ]);
  const taken = (await readQueue(places.queue)).candidates.filter(({ candidate }) =>
    done.has(candidate.id),
  );
  const filesOfTaken = (some: typeof taken): readonly PendingFile[] =>
    some.map(({ name, candidate }) => ({ name, text: formatCandidate(candidate) }));
  await keepLastId(
    places.ids,
    plan.changes.map(({ learning }) => learning.id),
  );
  if (places.carried !== null)
    await keepCarried(
      places.carried,
      root,
      filesOfTaken(taken.filter(({ candidate }) => changed.has(candidate.id))),
    );
  await applyFiles(root, edits, places, filesOfTaken(taken));
}

/**
 * A repository that has not chosen loop invited us as a guest: nothing of ours is put into it
 * (specification 1.8).
 */
export async function refuseGuest(root: string, isChosen: Places["isChosen"]): Promise<void> {
  if (await isChosen(root)) return;
  throw new LoopError(
    "LOOP_E_LEARNINGS_GUEST",
    `${root} has not chosen loop: its base branch tracks no manifest of it, or git doesn't know which branch that is`,
    "If its people want learnings there, run `loop manifest add .loop/ --role state --create`, and commit and push .loop/manifest.yaml to the base branch. If it is already there, run `git fetch origin` and `git remote set-head origin --auto`, with the name of your remote",
  );
}
