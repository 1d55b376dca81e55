import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { closedError, StoreError } from "../errors.ts";
import { createAhead } from "./ahead.ts";
import { failureOf } from "./failure.ts";
import type { LogFlush } from "./log-flush.ts";
import type { Row } from "../rows.ts";

/**
 * One connection with its prepared statements.
 *
 *     open ──close──▶ closed
 *       └──a write or flush fails on the disk──▶ broken ──close──▶ closed
 *
 * A broken one refuses everything: after a failed flush nobody knows what the disk holds, so that
 * the only way on is to open anew and to recover.
 *
 * With a log, a commit is ahead of the disk until a flush off the thread has made it durable: a
 * busy disk may take a second for one, and the thread receives and answers meanwhile. Commits
 * become durable in their order.
 */
export type Database = {
  /** Rows of a query. */
  all(sql: string, ...values: readonly SQLInputValue[]): readonly Row[];
  get(sql: string, ...values: readonly SQLInputValue[]): Row | null;
  /** Runs a statement; the number of rows it changed and the last id it gave. */
  run(
    sql: string,
    ...values: readonly SQLInputValue[]
  ): { readonly changes: number; readonly id: number };
  /**
   * Runs `work` at once, in one transaction that writes; a throw undoes it. Ahead of the disk:
   * nothing outside may follow from it before `durable`.
   */
  write<T>(work: () => T): T;
  /**
   * As `write`; resolves once what it committed is durable, and all that was committed before it
   * here.
   */
  durably<T>(work: () => T): Promise<T>;
  /** Resolves once all that was committed here is durable, at once when it is. */
  durable(): Promise<void>;
  /** Flushes, off the thread, what was committed before, by other handles too. */
  flush(): Promise<void>;
  /** Runs `work` on one snapshot. */
  read<T>(work: () => T): T;
  /** Marks it as broken: something beside it failed on the disk. */
  breakOff(): void;
  close(): void;
};

/**
 * Wraps an open connection that is set up and migrated. Without a `log` every commit is flushed at
 * once, as the connection is set up to.
 */
export function createDatabase(connection: DatabaseSync, log: LogFlush | null = null): Database {
  const statements = new Map<string, StatementSync>();
  let state: "open" | "broken" | "closed" = "open";
  // Normal still flushes the log before a copy into the database; what it leaves out is the flush
  // at the commit.
  if (log !== null) connection.exec("pragma synchronous = normal");

  const prepared = (sql: string): StatementSync => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const fresh = connection.prepare(sql);
    statements.set(sql, fresh);
    return fresh;
  };

  const transaction = <T>(begin: string, work: () => T): T => {
    if (state === "closed") throw closedError();
    if (state === "broken") throw brokenError();
    try {
      prepared(begin).run();
      const result = work();
      prepared("commit").run();
      return result;
    } catch (error) {
      const failure = failureOf(error);
      if (failure?.code === "LOOP_E_STORE_BROKEN") state = "broken";
      undo(connection);
      throw failure ?? error;
    }
  };

  const ahead = createAhead(async () => {
    try {
      await log?.flush();
    } catch {
      // Whatever the error: what the log holds on the disk is unknown now.
      if (state === "closed") throw closedError();
      state = "broken";
    }
    if (state === "broken") throw brokenError();
  });

  const write = <T>(work: () => T): T => transaction("begin immediate", work);

  return {
    all: (sql, ...values) => prepared(sql).all(...values),
    get: (sql, ...values) => prepared(sql).get(...values) ?? null,
    run: (sql, ...values) => {
      const { changes, lastInsertRowid } = prepared(sql).run(...values);
      if (Number(changes) > 0) ahead.wrote();
      return { changes: Number(changes), id: Number(lastInsertRowid) };
    },
    write,
    durably: async (work) => {
      const result = write(work);
      await ahead.durable();
      return result;
    },
    durable: ahead.durable,
    flush: ahead.flush,
    read: (work) => transaction("begin", work),
    breakOff: () => {
      if (state === "open") state = "broken";
    },
    close: () => {
      if (state === "closed") return;
      state = "closed";
      statements.clear();
      log?.close();
      connection.close();
    },
  };
}

/** Rolls back what is open; a rollback that fails too adds nothing to the failure that led here. */
function undo(connection: DatabaseSync): void {
  if (!connection.isTransaction) return;
  try {
    connection.exec("rollback");
  } catch {
    // The first failure is on its way to the caller.
  }
}

function brokenError(): StoreError {
  return new StoreError(
    "LOOP_E_STORE_BROKEN",
    "The disk failed under the store; nothing is written until it is opened again.",
    "Look after the disk, then restart: what was acknowledged before is recovered.",
  );
}
