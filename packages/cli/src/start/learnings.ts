import { existsSync, realpathSync } from "node:fs";
import { type Lock, LoopError } from "@loopwork/core/ports";
import type { Learning } from "@loopwork/core/learnings";
import {
  addCandidate,
  type Ask,
  cameWithBranch,
  carryOut,
  collect,
  type Collected,
  type Consolidation,
  finishInterrupted,
  planConsolidation,
  readBook,
  readNotes,
  readQueue,
  refuseGuest,
  undoFiles,
} from "@loopwork/learnings";
import { remoteOf } from "../git/remote-of-checkout.ts";
import { repositoryAround } from "../manifest/repository-around.ts";
import type { Redact } from "@loopwork/runtime";
import {
  learningsLock,
  type LookAtRepository,
  pendingIn,
  placesOf,
  trackedIn,
  withManifest,
} from "./learnings-places.ts";
import type { RepositoryLearnings } from "../ports/command-ports.ts";

/**
 * Learnings of the repository that a folder lies in: its files, its checkout's queue, and the queue
 * that outlives the checkout.
 */
export function openLearnings(
  cwd: string,
  stateRoot: string,
  version: string,
  locks: () => Promise<Lock>,
  look: LookAtRepository,
): RepositoryLearnings {
  const root = topOf(cwd);
  const remote = remoteOf(root);
  const repository = remote === null ? root : `${remote.host}/${remote.repository}`;
  const places = { ...placesOf(stateRoot, repository, look.hasChosenLoop), carried: null };
  const { queue } = places;
  const inCheckout = pendingIn(root);
  const alone = async <T>(run: () => Promise<T>): Promise<T> => {
    const lock = await (await locks()).acquire(learningsLock(repository));
    if (lock === null)
      throw new LoopError(
        "LOOP_E_LEARNINGS_BUSY",
        `the learnings of ${repository} are being consolidated by another process`,
        "run it again in a moment; nothing was changed",
      );
    try {
      return await run();
    } finally {
      await lock.release();
    }
  };
  const tracked = (): Promise<ReadonlySet<string>> => trackedIn(root, look.ask);
  const gather = async (): Promise<Collected> =>
    collect(inCheckout, queue, {
      tracked: await tracked(),
      vouch: (candidate) => candidate,
      refused: null,
    });
  const planned = async (now: number, ask: Ask | null): Promise<Consolidation> => {
    await finishInterrupted(root, places);
    const { left } = await gather();
    const consolidation = withManifest(
      root,
      await planConsolidation(root, places, now, ask),
      version,
    );
    return { ...consolidation, refused: [...left, ...consolidation.refused] };
  };
  return {
    root,
    async capture(candidate) {
      await refuseGuest(root, places.isChosen);
      return addCandidate(inCheckout, candidate);
    },
    async pending() {
      // Looks alone, also for an agent inside of its turn: who moves candidates out of a checkout
      // vouches for them.
      const [kept, here] = await Promise.all([readQueue(queue), readQueue(inCheckout)]);
      const ofBranch = await tracked();
      const brought = here.candidates
        .filter(({ name }) => ofBranch.has(name))
        .map(({ name }) => ({ name, problem: cameWithBranch }));
      return {
        candidates: [
          ...kept.candidates,
          ...here.candidates.filter(({ name }) => !ofBranch.has(name)),
        ],
        refused: [...brought, ...kept.refused, ...here.refused],
      };
    },
    plan: (now, ask) => alone(() => planned(now, ask)),
    // One lock over both, so that nobody gives an id or takes a candidate in between.
    consolidate: (now, ask) =>
      alone(async () => {
        const consolidation = await planned(now, ask);
        await carryOut(root, places, consolidation);
        return consolidation;
      }),
    undo: () => alone(() => undoFiles(root, places)),
    injection: () => readNotes(root, places.isChosen),
    async all() {
      return (await readBook(root)).book.learnings;
    },
  };
}

/**
 * What was learned about the repository that a checkout is of, without secrets; null where no
 * checkout is there any more.
 */
export async function learningsIn(
  workdir: string,
  redact: Redact,
): Promise<readonly Learning[] | null> {
  if (!existsSync(workdir)) return null;
  return (await readBook(workdir)).book.learnings.map((learning) => ({
    ...learning,
    text: redact(learning.text),
    keys: learning.keys.map(redact),
  }));
}

function topOf(cwd: string): string {
  const top = repositoryAround(realpathSync(cwd));
  if (top === null)
    throw new LoopError(
      "LOOP_E_LEARNINGS_GUEST",
      `${cwd} is in no git repository`,
      "run it in the checkout whose learnings are meant",
    );
  return top;
}
