import { StoreError } from "../errors.ts";

const busy = 5;
const locked = 6;
const readonlyFile = 8;
const ioError = 10;
const corrupt = 11;
const full = 13;
const cannotOpen = 14;
const notADatabase = 26;

/**
 * The failure of the storage behind an error of the driver; null for errors that have another
 * cause, such as a bug of ours.
 */
export function failureOf(error: unknown): StoreError | null {
  if (error instanceof StoreError) return error;
  const code = resultCode(error);
  const detail = error instanceof Error ? error.message : "";
  switch (code === null ? fileFailure(error) : code & 0xff) {
    case busy:
    case locked:
      return new StoreError(
        "LOOP_E_STORE_BUSY",
        "Another process keeps the store locked.",
        "Try again; `loop status` shows which daemon is at work.",
      );
    case readonlyFile:
      return new StoreError(
        "LOOP_E_STORE_READONLY",
        "The store was opened for reading only, or its file is write-protected.",
        "Check owner and mode of the state root and of the files in it.",
      );
    case full:
      return new StoreError(
        "LOOP_E_STORE_FULL",
        "The disk is full.",
        "Make room; the store goes on by itself.",
      );
    case ioError:
    case corrupt:
    case notADatabase:
    case cannotOpen:
      return new StoreError(
        "LOOP_E_STORE_BROKEN",
        `The disk failed under the store: ${detail}.`,
        "Look after the disk, then restart: what was acknowledged before is recovered.",
      );
    default:
      return null;
  }
}

/** The same for an error of the file system, as SQLite names it; null for any other error. */
function fileFailure(error: unknown): number | null {
  if (!(error instanceof Error) || !("syscall" in error) || !("code" in error)) return null;
  return error.code === "ENOSPC" || error.code === "EDQUOT" ? full : ioError;
}

/** SQLite's extended result code; null for an error that is not SQLite's. */
export function resultCode(error: unknown): number | null {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number"
    ? error.errcode
    : null;
}

/** True when somebody else holds the file. */
export function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code !== null && ((code & 0xff) === busy || (code & 0xff) === locked);
}

/** True when the file holds something else than a database. */
export function isNotADatabase(error: unknown): boolean {
  const code = resultCode(error);
  return code !== null && (code & 0xff) === notADatabase;
}
