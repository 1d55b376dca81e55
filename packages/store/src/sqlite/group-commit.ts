import { closedError, StoreError } from "../errors.ts";
import type { Database } from "./database.ts";

export type GroupCommit<B> = {
  /** Runs `work` in the next transaction; settles after its commit. `work` may run twice, the first time undone. */
  submit<T>(work: (batch: B) => T): Promise<T>;
  /** Commits what waits and refuses what comes. */
  close(): void;
};

/** What the works of one transaction share, and what is done before its commit. */
export type Batching<B> = { begin(): B; finish(batch: B): void };

type Job<B> = { run(batch: B): void; settle(error: unknown): void };

/**
 * Group commit without a timer. The first work of an idle store asks for a commit at the end of this round of the event
 * loop; whatever arrives until then, and that is everything that queued up in the sockets while the last flush held the
 * thread, shares one transaction and one flush. Everybody is answered after the commit. One that fails rejects every waiter.
 */
export function createGroupCommit<B>(db: Database, batching: Batching<B>): GroupCommit<B> {
  let waiting: Job<B>[] = [];
  let closed = false;

  const commit = (): void => {
    const jobs = waiting;
    waiting = [];
    if (jobs.length > 0) commitAll(db, batching, jobs);
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

function jobOf<B, T>(work: (batch: B) => T, resolve: (value: T) => void, reject: (error: unknown) => void): Job<B> {
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
function commitAll<B>(db: Database, batching: Batching<B>, jobs: readonly Job<B>[]): void {
  let failure: unknown = null;
  try {
    db.write(() => {
      const batch = batching.begin();
      for (const job of jobs) job.run(batch);
      batching.finish(batch);
    });
  } catch (error) {
    failure = error;
  }
  if (failure === null || failure instanceof StoreError || jobs.length === 1) for (const job of jobs) job.settle(failure);
  else for (const job of jobs) commitAll(db, batching, [job]);
}
