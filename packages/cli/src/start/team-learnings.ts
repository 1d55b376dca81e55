import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Lock } from "@loopwork/core/ports";
import {
  addCandidate,
  type Ask,
  bringBack,
  carryOut,
  collect,
  finishInterrupted,
  isInterrupted,
  lastWritten,
  planConsolidation,
  readBook,
  type Refused,
  trimQueue,
  trimRefused,
} from "@loopwork/learnings";
import type { BroughtUpToDate, TeamLearnings } from "@loopwork/runtime";
import {
  digestOf,
  learningsLock,
  type LookAtRepository,
  pendingIn,
  placesOf,
  trackedIn,
  uncommittedIn,
  withManifest,
} from "./learnings-places.ts";

/**
 * Learnings of every repository, as the service's turns and sessions need them. `version` of loop
 * goes into a manifest that is begun; `look` is who asks git.
 */
export function createTeamLearnings(
  stateRoot: string,
  version: string,
  locks: Lock,
  warn: (text: string) => void,
  look: LookAtRepository,
): TeamLearnings {
  const isChosen = look.hasChosenLoop;
  const bounded = async (repository: string): Promise<void> => {
    const { queue, refused } = placesOf(stateRoot, repository, isChosen);
    const [dropped, forgotten] = [await trimQueue(queue), await trimRefused(refused)];
    if (dropped.length + forgotten.length > 0)
      warn(
        `the queue of learnings of ${repository} was full: dropped ${[...dropped, ...forgotten].slice(0, 20).join(", ")}${dropped.length + forgotten.length > 20 ? ` and ${dropped.length + forgotten.length - 20} more` : ""}`,
      );
  };
  return {
    async keep(repository, candidate) {
      await addCandidate(placesOf(stateRoot, repository, isChosen).queue, candidate);
      await bounded(repository);
    },
    async collect(repository, workdir, workItem, vouch) {
      const { queue, refused } = placesOf(stateRoot, repository, isChosen);
      const { left, aside } = await collect(pendingIn(workdir), queue, {
        tracked: await trackedIn(workdir, look.ask),
        vouch: (candidate, text) => vouch(candidate, `found-${digestOf(`${workItem}\n${text}`)}`),
        refused,
      });
      if (left.length > 0)
        warn(
          `${pendingIn(workdir)} holds what is no candidate of ours, and it stays there: ${toldOf(left)}`,
        );
      if (aside.length > 0)
        warn(
          `${pendingIn(workdir)} held what is no candidate of ours; it is kept in ${refused}: ${toldOf(aside)}`,
        );
      await bounded(repository);
    },
    ask: (repository) => askForConsolidation(stateRoot, repository),
    async bringUpToDate(repository, workdir, now, ask) {
      const places = placesOf(stateRoot, repository, isChosen);
      const lock =
        isDue(places) || (await isInterrupted(workdir, places))
          ? await locks.acquire(learningsLock(repository))
          : null;
      try {
        const done = lock === null ? null : await brought(workdir, places, now, ask, version);
        return {
          done,
          toCommit: await uncommittedIn(workdir, await lastWritten(workdir, places), look.ask),
        };
      } finally {
        await lock?.release();
      }
    },
  };
}

/** The first of some files, with the reasons. */
function toldOf(some: readonly Refused[]): string {
  const first = some
    .slice(0, mostTold)
    .map(({ name, problem }) => `${JSON.stringify(name.slice(0, 90))}: ${problem}`);
  return [...first, ...(some.length > mostTold ? [`and ${some.length - mostTold} more`] : [])].join(
    "; ",
  );
}

const mostTold = 5;

type TeamPlaces = ReturnType<typeof placesOf>;

/**
 * What is asked for while a consolidation runs is asked for anew:
 *
 *     due ──a consolidation begins──▶ begun ──it ended well──▶ gone
 *
 * One that failed or was cut off left `begun`, which is as good as `due`.
 */
function isDue({ due, begun }: TeamPlaces): boolean {
  return existsSync(due) || existsSync(begun);
}

/** Finishes what was cut off in a checkout, and consolidates where that was asked for. */
async function brought(
  workdir: string,
  places: TeamPlaces,
  now: number,
  ask: Ask | null,
  version: string,
): Promise<BroughtUpToDate["done"]> {
  const finished = await finishInterrupted(workdir, places);
  if (!isDue(places)) return null;
  if (existsSync(places.due)) await rename(places.due, places.begun);
  const done = await consolidated(workdir, places, now, ask, version);
  await rm(places.begun, { force: true });
  return { ...done, files: [...new Set([...finished, ...done.files])] };
}

/** Asks that what was learned in a repository be consolidated when its next conversation begins. */
export async function askForConsolidation(stateRoot: string, repository: string): Promise<void> {
  const { due } = placesOf(stateRoot, repository, () => Promise.resolve(false)); // Nothing is written into a checkout here.
  await mkdir(dirname(due), { recursive: true });
  await writeFile(due, "");
}

async function consolidated(
  workdir: string,
  places: TeamPlaces,
  now: number,
  ask: Ask | null,
  version: string,
): Promise<NonNullable<BroughtUpToDate["done"]>> {
  const damaged = await bringBack(places.carried, places.queue, (await readBook(workdir)).book);
  const consolidation = withManifest(
    workdir,
    await planConsolidation(workdir, places, now, ask),
    version,
  );
  await carryOut(workdir, places, consolidation);
  return {
    files: consolidation.edits.map(({ path }) => path),
    plan: consolidation.plan,
    damaged,
    refused: consolidation.refused.length,
  };
}
