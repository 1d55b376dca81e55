import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "@loopwork/core/ports";
import { createBodies } from "../../src/sqlite/bodies.ts";
import { createDatabase, type Database } from "../../src/sqlite/database.ts";
import type { LogFlush } from "../../src/sqlite/log-flush.ts";
import { migrate, readMigrations } from "../../src/sqlite/migrate.ts";
import { createSqliteStore } from "../../src/sqlite/store.ts";

export type HeldDisk = LogFlush & {
  /** How many flushes were asked for. */
  readonly asked: () => number;
  /** Ends the oldest one; nothing when there is none. */
  end(error?: Error): void;
  /** Waits for one to be asked for, and ends the oldest. */
  endNext(error?: Error): Promise<void>;
};

/** A disk whose flushes end when the test says so. */
export function heldDisk(): HeldDisk {
  const ends: ((error?: Error) => void)[] = [];
  let asked = 0;
  return {
    flush: () =>
      new Promise((resolve, reject) => {
        asked += 1;
        ends.push((error) => (error === undefined ? resolve() : reject(error)));
      }),
    close: () => {},
    asked: () => asked,
    end: (error) => ends.shift()?.(error),
    async endNext(error) {
      while (ends.length === 0) await sleep(1);
      ends.shift()?.(error);
    },
  };
}

/** A store in the folder over a log of the test's. */
export function openOver(
  folder: string,
  log: LogFlush,
): { readonly store: Store; readonly db: Database; readonly connection: DatabaseSync } {
  const connection = new DatabaseSync(join(folder, "loop.db"));
  connection.exec("pragma journal_mode = wal; pragma synchronous = full");
  migrate(connection, readMigrations(), 0);
  const db = createDatabase(connection, log);
  return {
    store: createSqliteStore(
      db,
      createBodies(db, join(folder, "bodies"), () => 0),
      { instance: "default", now: () => 0, maxBacklog: 100, readonly: false },
    ),
    db,
    connection,
  };
}

/** Lets everything happen that waits for nothing but its turn, writes off the thread too. */
export async function settled(): Promise<void> {
  await sleep(50);
}

/** Whether a promise has settled once all that can happen has happened. */
export async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let done = false;
  const note = (): void => void (done = true);
  promise.then(note, note);
  await settled();
  return done;
}
