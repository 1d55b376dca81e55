import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StoreError } from "../errors.ts";
import { createBodies } from "../sqlite/bodies.ts";
import { createDatabase } from "../sqlite/database.ts";
import { failureOf, isBusy, isNotADatabase } from "../sqlite/failure.ts";
import { readMigrations, requireCurrent } from "../sqlite/migrate.ts";
import { createSqliteReading, type OpenSqlite } from "./sqlite-reading.ts";
import type { Reading } from "./side.ts";

/** How long to wait for a command that has the file open and ends by itself. */
const patienceMs = 2_000;

export function folderOfBodies(file: string): string {
  return `${file}-bodies`;
}

/** Opens a store for reading, on one snapshot, whatever else has it open. */
export function openSqliteSnapshot(
  file: string,
  folder: string = folderOfBodies(file),
): { readonly reading: Reading; readonly open: OpenSqlite } {
  requireFile(file);
  const connection = connect(file, true);
  const open = guarded(file, connection, () => {
    requireCurrent(connection, readMigrations());
    connection.exec("begin");
    return wrap(connection, folder);
  });
  return { reading: createSqliteReading(open, `sqlite:${file}`), open };
}

/**
 * Opens a store of which nobody else has anything open, and keeps everybody out until it is closed.
 */
export function openSqliteAlone(file: string): Reading {
  requireFile(file);
  const connection = connectAlone(file);
  const open = guarded(file, connection, () => {
    requireCurrent(connection, readMigrations());
    return wrap(connection, folderOfBodies(file));
  });
  return createSqliteReading(open, `sqlite:${file}`);
}

/**
 * A connection that keeps all others out. In the mode of the write-ahead log every open connection
 * holds a shared lock of the kernel on the file, so that this one is refused while a service has it
 * open, also one that was stopped; it is gone with its process. Makes the file when there is none.
 */
export function connectAlone(file: string): DatabaseSync {
  makeFile(file);
  const connection = connect(file, false);
  return guarded(file, connection, () => {
    connection.exec("pragma locking_mode = exclusive");
    connection.exec("begin immediate");
    connection.exec("rollback");
    return connection;
  });
}

export function wrap(connection: DatabaseSync, folder: string): OpenSqlite {
  const db = createDatabase(connection);
  return { connection, db, bodies: createBodies(db, folder, Date.now) };
}

export function connect(file: string, readOnly: boolean): DatabaseSync {
  try {
    return new DatabaseSync(file, {
      readOnly,
      timeout: patienceMs,
      enableForeignKeyConstraints: true,
    });
  } catch (error) {
    throw failure(file, error);
  }
}

/** Closes the connection when `work` throws, and says why for people. */
export function guarded<T>(file: string, connection: DatabaseSync, work: () => T): T {
  try {
    return work();
  } catch (error) {
    connection.close();
    throw failure(file, error);
  }
}

export function requireFile(file: string): void {
  if (!existsSync(file))
    throw new StoreError(
      "LOOP_E_STORE_MISSING",
      `There is no store at ${file}.`,
      "Name the file of the database, such as sqlite:/home/me/.loop/loop.db.",
    );
}

/** Folder and file belong to the user alone: bodies hold what people wrote. */
function makeFile(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    closeSync(openSync(file, "a", 0o600));
  } catch (error) {
    throw new StoreError(
      "LOOP_E_STORE_UNWRITABLE",
      `${file} cannot be written: ${error instanceof Error ? error.message : String(error)}.`,
      "Check that its folder exists, is yours and has room.",
    );
  }
}

function failure(file: string, error: unknown): unknown {
  if (isBusy(error))
    return new StoreError(
      "LOOP_E_STORE_IN_USE",
      `${file} is open in another process, such as a running service.`,
      "`loop stop` ends the services; then run this again.",
    );
  if (isNotADatabase(error))
    return new StoreError(
      "LOOP_E_STORE_NOT_A_DATABASE",
      `${file} is not a database of loop, or it is damaged.`,
      "Name another file.",
    );
  return failureOf(error) ?? error;
}
