import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { DatabaseSync, type SQLInputValue, type StatementResultingChanges, StatementSync } from "node:sqlite";
import type { Armed } from "./commits.ts";
import { errnoError } from "./faults.ts";

type Take = (moment: "commit" | "flush") => Armed | null;

/** SQLite's code for a flush that failed while it committed. */
const failedFlush = 1034;

/** Puts itself in front of `commit` in the driver, and of the flush of the write-ahead log. */
export function watchSqlite(take: Take, takeMigration: () => Armed | null): void {
  const connections = new WeakMap<StatementSync, DatabaseSync>();
  const writing = new WeakSet<DatabaseSync>();
  const { prepare, exec } = DatabaseSync.prototype;
  const { run } = StatementSync.prototype;
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, ...args) {
    const statement = prepare.apply(this, args);
    connections.set(statement, this);
    return statement;
  };
  const watched = function (this: StatementSync, ...args: SQLInputValue[]): StatementResultingChanges {
    const connection = connections.get(this);
    const work = (): StatementResultingChanges => Reflect.apply(run, this, args);
    if (connection === undefined) return work();
    if (this.sourceSQL.startsWith("begin")) mark(writing, connection, this.sourceSQL === "begin immediate");
    const armed = this.sourceSQL === "commit" && writing.has(connection) ? take("commit") : null;
    return armed === null ? work() : struck(armed, connection, work);
  };
  Object.assign(StatementSync.prototype, { run: watched });
  // Only migrations commit through it.
  DatabaseSync.prototype.exec = function (this: DatabaseSync, sql) {
    const armed = sql === "commit" ? takeMigration() : null;
    return armed === null ? exec.call(this, sql) : struck(armed, this, () => exec.call(this, sql));
  };
  watchFlush(take);
}

function mark(writing: WeakSet<DatabaseSync>, connection: DatabaseSync, writes: boolean): void {
  if (writes) writing.add(connection);
  else writing.delete(connection);
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
  if (trigger.fault === "eio" || trigger.fault === "enospc") throw sqliteError(failedFlush, "disk I/O error");
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

function watchFlush(take: Take): void {
  const { fdatasync } = fs;
  const watched = (file: number, done: (error: NodeJS.ErrnoException | null) => void): void => {
    const armed = take("flush");
    const { trigger } = armed ?? {};
    if (trigger === undefined) return fdatasync(file, done);
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
}
