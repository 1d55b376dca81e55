import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { HeldLock, Lock } from "@loopwork/core/ports";
import { StoreError } from "./errors.ts";
import { isBusy } from "./sqlite/failure.ts";

const grammar = /^[a-z0-9][a-z0-9._-]{0,120}$/;

/**
 * How long to wait, in milliseconds, for somebody who is only trying: without it two that come at
 * once could refuse each other, so that nobody holds the lock. The thread sleeps that long when a
 * lock is held.
 */
const contentionMs = 20;

/**
 * Locks as exclusively opened databases in `dir`, one file a name. The kernel's lock on the file is
 * the right itself: it lasts while the holder lives, also while it is stopped, and is gone at once
 * when the holder is killed; no pid has to be believed. Files stay where they are: removing one
 * would let two processes hold the same name.
 */
export function createLocks(dir: string): Lock {
  return { acquire: async (name) => acquire(dir, name) };
}

function acquire(dir: string, name: string): HeldLock | null {
  if (!grammar.test(name))
    throw new StoreError(
      "LOOP_E_LOCK_NAME",
      `${JSON.stringify(name.slice(0, 130))} cannot name a lock.`,
      "Use lower-case letters, digits, dots, dashes and underscores.",
    );
  const connection = connect(dir, name);
  try {
    connection.exec("begin exclusive");
  } catch (error) {
    connection.close();
    if (isBusy(error)) return null;
    throw unwritable(dir, error);
  }
  return { name, release: async () => release(connection) };
}

/** Closing a connection with an open transaction undoes it, and frees the file. */
function release(connection: DatabaseSync): void {
  if (connection.isOpen) connection.close();
}

function connect(dir: string, name: string): DatabaseSync {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    return new DatabaseSync(join(dir, `${name}.lock`), { timeout: contentionMs });
  } catch (error) {
    throw unwritable(dir, error);
  }
}

function unwritable(dir: string, error: unknown): StoreError {
  const why = error instanceof Error ? error.message : String(error);
  return new StoreError(
    "LOOP_E_LOCK_UNWRITABLE",
    `Locks cannot be kept in ${dir}: ${why}.`,
    "Check that the state root is yours and writable.",
  );
}
