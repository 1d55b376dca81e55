import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { StoreError } from "../errors.ts";
import { failureOf, isBusy, isNotADatabase } from "./failure.ts";

/**
 * Milliseconds that a statement waits for another process's transaction where nobody says
 * otherwise.
 */
export const busyTimeoutMs = 5_000;

/** Throws where there is no database: reading makes none. */
export function requireThere(file: string): void {
  if (!existsSync(file))
    throw new StoreError(
      "LOOP_E_STORE_MISSING",
      `There is no store at ${file} yet.`,
      "Run `loop start` once.",
    );
}

export function connect(file: string, readOnly: boolean, timeout: number): DatabaseSync {
  try {
    return new DatabaseSync(file, { readOnly, timeout, enableForeignKeyConstraints: true });
  } catch (error) {
    throw unwritable(file, error);
  }
}

export function openingFailure(file: string, error: unknown): unknown {
  if (isNotADatabase(error))
    return new StoreError(
      "LOOP_E_STORE_NOT_A_DATABASE",
      `${file} is not a database of loop, or it is damaged.`,
      "Name another file in store.url, or move this one away.",
    );
  if (isBusy(error))
    return new StoreError(
      "LOOP_E_STORE_BUSY",
      `Another process keeps ${file} locked.`,
      "Close what has it open, such as a database browser, and try again.",
    );
  const failure = failureOf(error);
  return failure?.code === "LOOP_E_STORE_READONLY" || failure?.code === "LOOP_E_STORE_BROKEN"
    ? unwritable(file, error)
    : (failure ?? error);
}

export function unwritable(file: string, error: unknown): StoreError {
  const why = error instanceof Error ? error.message : String(error);
  return new StoreError(
    "LOOP_E_STORE_UNWRITABLE",
    `The store at ${file} cannot be opened for writing: ${why}.`,
    "Check that its folder exists, is yours and has room; `state.root` or `store.url` names another place.",
  );
}
