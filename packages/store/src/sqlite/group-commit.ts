import { closedError, StoreError } from "../errors.ts";
import type { Database } from "./database.ts";

export type GroupCommit<B> = {
  /**
   * Runs `work` in the next transaction; settles once it is durable. `work` may run twice, the
   * first time undone.
   */
  submit<T>(work: (batch: B) => T): Promise<T>;
  /** The same without a promise. */
  add(job: Job<B>): void;
  /** Resolves once what waits is durable or refused; refuses what comes. */
  close(): Promise<void>;
};

/**
 * What the works of one transaction share, what is done before its commit, and what when it failed.
 */
export type Batching<B> = { begin(): B; finish(batch: B): void; undone(): void };

/** `settle` is told the failure, or null once what the last `run` did is durable. */
export type Job<B> = { run(batch: B): void; settle(error: unknown): void };

/**
 * Group commit without a timer. The first work of an idle store asks for a commit at the end of
 * this round of the event loop; whatever arrives until then shares one transaction. The flush of it
 * runs off the thread, while the next ones are received and committed; those share the next flush.
 * Everybody is answered after the flush, also who only found what another had stored: that may be
 * on its way to the disk still. One that fails rejects every waiter.
 */
export function createGroupCommit<B>(db: Database, batching: Batching<B>): GroupCommit<B> {
  let waiting: Job<B>[] = [];
  let closed = false;
  let flushed: Promise<void> = Promise.resolve();

  const commit = (): void => {
    const jobs = waiting;
    waiting = [];
    const committed = jobs.length === 0 ? [] : commitAll(db, batching, jobs);
    if (committed.length > 0) flushed = flush(committed);
  };

  const flush = async (jobs: readonly Job<B>[]): Promise<void> => {
    const failure = await db.flush().then(
      () => null,
      (error: unknown) => error,
    );
    for (const job of jobs) job.settle(failure);
  };

  const add = (job: Job<B>): void => {
    if (closed) return job.settle(closedError());
    waiting.push(job);
    if (waiting.length === 1) setImmediate(commit);
  };

  return {
    submit: (work) => new Promise((resolve, reject) => add(jobOf(work, resolve, reject))),
    add,
    close: () => {
      closed = true;
      commit();
      return flushed;
    },
  };
}

function jobOf<B, T>(
  work: (batch: B) => T,
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
): Job<B> {
  let settle: () => void = () => {};
  return {
    run: (batch) => {
      const value = work(batch);
      settle = () => resolve(value);
    },
    settle: (error) => (error === null ? settle() : reject(error)),
  };
}

/**
 * Those that are committed. When one work alone cannot be done, each is committed for itself so
 * that it takes no other down.
 */
function commitAll<B>(
  db: Database,
  batching: Batching<B>,
  jobs: readonly Job<B>[],
): readonly Job<B>[] {
  try {
    db.write(() => {
      const batch = batching.begin();
      for (const job of jobs) job.run(batch);
      batching.finish(batch);
    });
    return jobs;
  } catch (error) {
    batching.undone();
    if (!(error instanceof StoreError) && jobs.length > 1)
      return jobs.flatMap((job) => commitAll(db, batching, [job]));
    for (const job of jobs) job.settle(error);
    return [];
  }
}
