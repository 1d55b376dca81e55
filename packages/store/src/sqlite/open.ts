import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { Store } from "@loopwork/core/ports";
import { createBodies } from "./bodies.ts";
import { busyTimeoutMs, connect, openingFailure, requireThere, unwritable } from "./connect.ts";
import { createDatabase } from "./database.ts";
import { createLogFlush } from "./log-flush.ts";
import {
  migrate,
  type Migration,
  readMigrations,
  requireCurrent,
  requireMigratable,
} from "./migrate.ts";
import { createSqliteStore } from "./store.ts";

/**
 * Pages in the write-ahead log after which a commit copies them into the database. Four times the
 * usual number: index pages that many deliveries touch are copied once instead of four times. A
 * copy takes some 30 ms of the thread.
 */
const checkpointPages = 4_000;

export type SqliteOptions = {
  readonly instance: string;
  readonly now: () => number;
  readonly maxBacklog: number;
  readonly readonly: boolean;
  /** Upper bound of the file in pages of 4,096 bytes; null for none. */
  readonly maxPages: number | null;
  /** Told how long each flush of the log took, in milliseconds. */
  readonly onFlush?: (ms: number) => void;
  /** Milliseconds that a statement waits for another process's transaction; 5,000 when absent. */
  readonly busyTimeoutMs?: number;
  /** Whether the schema of an older version may be changed; it may when absent. */
  readonly mayMigrate?: () => boolean;
};

/** Opens, or makes, the database at `file`. Throws `StoreError`. */
export function openSqliteStore(
  file: string,
  options: SqliteOptions,
  migrations: readonly Migration[] = readMigrations(),
): Store {
  if (options.readonly) requireThere(file);
  if (!options.readonly) makeFile(file);
  const connection = connect(file, options.readonly, options.busyTimeoutMs ?? busyTimeoutMs);
  try {
    setUp(connection, options, migrations);
  } catch (error) {
    connection.close();
    throw openingFailure(file, error);
  }
  const db = createDatabase(
    connection,
    options.readonly ? null : createLogFlush(`${file}-wal`, options.onFlush),
  );
  const bodies = createBodies(db, `${file}-bodies`, options.now);
  if (!options.readonly) bodies.tidy();
  return createSqliteStore(db, bodies, options);
}

/**
 * Folder and file belong to the user alone: bodies hold what people wrote. Side files of the
 * database take the file's mode.
 */
function makeFile(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    closeSync(openSync(file, "a", 0o600));
  } catch (error) {
    throw unwritable(file, error);
  }
}

/**
 * WAL with a flush at each commit: one that was acknowledged survives the loss of power. The mode
 * is set again on every opening, which also is the first statement that reads the file.
 */
function setUp(
  connection: DatabaseSync,
  options: SqliteOptions,
  migrations: readonly Migration[],
): void {
  if (options.readonly) return requireCurrent(connection, migrations);
  connection.exec("pragma journal_mode = wal");
  connection.exec("pragma synchronous = full");
  connection.exec(`pragma wal_autocheckpoint = ${checkpointPages}`);
  if (options.maxPages !== null)
    connection.exec(`pragma max_page_count = ${Math.trunc(options.maxPages)}`);
  requireMigratable(connection, migrations, options.mayMigrate);
  migrate(connection, migrations, options.now());
}
