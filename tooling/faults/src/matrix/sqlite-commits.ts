import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import {
  DatabaseSync,
  type SQLInputValue,
  type StatementResultingChanges,
  StatementSync,
} from "node:sqlite";
import type { Armed } from "./commits.ts";
import { errnoError } from "./faults.ts";

/** What is to strike a transaction in which these statements were run. */
type Take = (statements: readonly string[]) => Armed | null;

/** SQLite's code for a flush that failed while it committed. */
const failedFlush = 1034;

/**
 * Puts itself in front of `commit` in the driver, and of the flush of the write-ahead log that
 * makes it durable.
 */
export function watchSqlite(take: Take, takeMigration: () => Armed | null): void {
  const connections = new WeakMap<StatementSync, DatabaseSync>();
  const written = new WeakMap<DatabaseSync, string[]>();
  const strikeFlush = watchFlush();
  const { prepare, exec } = DatabaseSync.prototype;
  const { run } = StatementSync.prototype;
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, ...args) {
    const statement = prepare.apply(this, args);
    connections.set(statement, this);
    return statement;
  };
  const watched = function (
    this: StatementSync,
    ...args: SQLInputValue[]
  ): StatementResultingChanges {
    const connection = connections.get(this);
    const work = (): StatementResultingChanges => Reflect.apply(run, this, args);
    if (connection === undefined) return work();
    const statements = written.get(connection);
    if (this.sourceSQL.startsWith("begin"))
      mark(written, connection, this.sourceSQL === "begin immediate");
    else statements?.push(this.sourceSQL);
    const armed = this.sourceSQL === "commit" && statements !== undefined ? take(statements) : null;
    if (armed?.when === "after") strikeFlush(armed);
    return armed?.when === "before" ? struck(armed, connection, work) : work();
  };
  Object.assign(StatementSync.prototype, { run: watched });
  // Only migrations commit through it.
  DatabaseSync.prototype.exec = function (this: DatabaseSync, sql) {
    const armed = sql === "commit" ? takeMigration() : null;
    return armed === null ? exec.call(this, sql) : struck(armed, this, () => exec.call(this, sql));
  };
}

function mark(
  written: WeakMap<DatabaseSync, string[]>,
  connection: DatabaseSync,
  writes: boolean,
): void {
  if (writes) written.set(connection, []);
  else written.delete(connection);
}

function struck<T>({ trigger, when }: Armed, connection: DatabaseSync, commit: () => T): T {
  if (when === "before") {
    trigger.strike();
    if (trigger.fault === "enospc") overfill(connection);
    if (trigger.fault === "eio") throw sqliteError(10, "disk I/O error");
    return commit();
  }
  const result = commit();
  trigger.strike();
  if (trigger.fault === "eio" || trigger.fault === "enospc")
    throw sqliteError(failedFlush, "disk I/O error");
  return result;
}

/** Lets SQLite itself find that there is no room, in the transaction that is open. */
function overfill(connection: DatabaseSync): void {
  connection.exec("pragma max_page_count = 1"); // As many as there are.
  try {
    connection.exec("create table no_room as select randomblob(1000000) as filler");
  } finally {
    connection.exec("pragma max_page_count = 1073741823");
  }
}

function sqliteError(errcode: number, errstr: string): Error {
  return Object.assign(new Error(errstr), { code: "ERR_SQLITE_ERROR", errcode, errstr });
}

/**
 * The result lets the next flush be struck: one that is asked for after a commit is the first that
 * has it.
 */
function watchFlush(): (armed: Armed) => void {
  const { fdatasync } = fs;
  let next: Armed | null = null;
  const watched = (file: number, done: (error: NodeJS.ErrnoException | null) => void): void => {
    if (next === null || !isLog(file)) return fdatasync(file, done);
    const { trigger } = next;
    next = null;
    if (trigger.fault === "eio" || trigger.fault === "enospc") {
      trigger.strike();
      return void setImmediate(done, errnoError(trigger.fault));
    }
    fdatasync(file, (error) => {
      trigger.strike();
      done(error);
    });
  };
  Object.assign(fs, { fdatasync: watched });
  syncBuiltinESMExports();
  return (armed) => void (next = armed);
}

/** Bodies are flushed, too, before the transaction of their rows begins. */
function isLog(file: number): boolean {
  return fs.readlinkSync(`/proc/self/fd/${file}`).endsWith("-wal");
}
