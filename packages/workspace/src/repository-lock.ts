import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { HeldLock, Lock, Ref } from "@loopwork/core/ports";
import { WorkspaceError } from "./failure.ts";
import { type Layout, type Place, slugOf } from "./layout.ts";
import { createOneAtATime } from "./one-at-a-time.ts";

/**
 * What has to be held to change a layout's clone: the repository, or for a clone of its own that
 * clone alone.
 */
export function lockedBy(layout: Layout, place: Place, workItem: Ref): Place {
  return layout.kind === "worktree"
    ? place
    : { ...place, repo: `${place.repo} of ${slugOf(workItem)}` };
}

/** Runs work while holding the right to change one repository's shared clone. */
export type WithRepository = <T>(place: Place, work: () => Promise<T>) => Promise<T>;

/**
 * One at a time per repository: inside this process in the order of asking, across processes by the
 * lock. Gives up with `LOOP_E_WORKSPACE_BUSY` when another process holds it for `patienceMs`.
 */
export function createWithRepository(
  locks: Lock,
  patienceMs: number = 15 * 60_000,
): WithRepository {
  const oneAtATime = createOneAtATime();
  return (place, work) => {
    const name = lockName(place);
    return oneAtATime(name, async () => {
      const held = await acquire(locks, name, place, patienceMs);
      try {
        return await work();
      } finally {
        await held.release();
      }
    });
  };
}

async function acquire(
  locks: Lock,
  name: string,
  place: Place,
  patienceMs: number,
): Promise<HeldLock> {
  const until = performance.now() + patienceMs;
  for (let waitMs = 20; ; waitMs = Math.min(waitMs * 2, 1_000)) {
    const held = await locks.acquire(name);
    if (held !== null) return held;
    if (performance.now() + waitMs > until)
      throw new WorkspaceError(
        "LOOP_E_WORKSPACE_BUSY",
        `Another process has been working on the clone of ${place.owner}/${place.repo} for too long.`,
        "Look for a git or loop that hangs there.",
      );
    await sleep(waitMs);
  }
}

/** A digest: names of repositories can be longer than names of locks. */
const lockName = (place: Place): string =>
  `repository-${createHash("sha256").update(`${place.host}/${place.owner}/${place.repo}`).digest("hex").slice(0, 40)}`;
