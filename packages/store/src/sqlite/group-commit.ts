import { closedError, StoreError } from "../errors.ts";
import { moveCursor } from "./backlog.ts";
import type { Database } from "./database.ts";

/** What the works of one transaction share. */
export type Batch = {
  /** How many more undecided deliveries there is room for; null until somebody asked. */
  room: number | null;
  /** Set by who stored a delivery that nobody will decide. */
  ignored: boolean;
};

export type GroupCommit = {
  /** Runs `work` in the next transaction; settles after its commit. `work` may run twice, the first time undone. */
  submit<T>(work: (batch: Batch) => T): Promise<T>;
  /** Commits what waits and refuses what comes. */
  close(): void;
};

type Job = { run(batch: Batch): void; settle(error: unknown): void };

/**
 * Group commit without a timer. The first work of an idle store asks for a commit at the end of this round of the event
 * loop; whatever arrives until then, and that is everything that queued up in the sockets while the last flush held the
 * thread, shares one transaction and one flush. Everybody is answered after the commit. One that fails rejects every waiter.
 */
export function createGroupCommit(db: Database, instance: string): GroupCommit {
  let waiting: Job[] = [];
  let closed = false;

  const commit = (): void => {
    const jobs = waiting;
    waiting = [];
    if (jobs.length > 0) commitAll(db, instance, jobs);
  };

  return {
    submit: (work) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(closedError());
        waiting.push(jobOf(work, resolve, reject));
        if (waiting.length === 1) setImmediate(commit);
      }),
    close: () => {
      closed = true;
      commit();
    },
  };
}

function jobOf<T>(work: (batch: Batch) => T, resolve: (value: T) => void, reject: (error: unknown) => void): Job {
  let settle: () => void = () => {};
  return {
    run: (batch) => {
      const value = work(batch);
      settle = () => resolve(value);
    },
    settle: (error) => (error === null ? settle() : reject(error)),
  };
}

/** When one work alone cannot be done, each is committed for itself so that it takes no other down. */
function commitAll(db: Database, instance: string, jobs: readonly Job[]): void {
  let failure: unknown = null;
  try {
    db.write(() => {
      const batch: Batch = { room: null, ignored: false };
      for (const job of jobs) job.run(batch);
      // Nobody decides what is ignored, so that a stretch of it would be read again and again.
      if (batch.ignored) moveCursor(db, instance);
    });
  } catch (error) {
    failure = error;
  }
  if (failure === null || failure instanceof StoreError || jobs.length === 1) for (const job of jobs) job.settle(failure);
  else for (const job of jobs) commitAll(db, instance, [job]);
}
