import { closeSync, constants, fdatasync, fsync, openSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { closedError } from "../errors.ts";

const [flushFile, flushFolder] = [promisify(fdatasync), promisify(fsync)];

/** Flushes the write-ahead log off the thread. */
export type LogFlush = {
  /**
   * Resolves once all that was written to the log before the call is durable. Rejects with the
   * error of the file system.
   */
  flush(): Promise<void>;
  close(): void;
};

/**
 * One flush at a time: who comes meanwhile may have written what it no longer took, and shares the
 * next. `onFlush` is told how long each that succeeded took, in milliseconds.
 */
export function createLogFlush(path: string, onFlush: (ms: number) => void = () => {}): LogFlush {
  let file: number | null = null;
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let closed = false;

  const start = (): Promise<void> => {
    next = null;
    running = run().finally(() => (running = null));
    return running;
  };

  const run = async (): Promise<void> => {
    if (closed) throw closedError();
    const began = performance.now();
    if (file === null) await flushName(dirname(path));
    file ??= openSync(path, constants.O_RDWR);
    await flushFile(file);
    onFlush(performance.now() - began);
  };

  const closeFile = (): void => {
    if (file !== null) closeSync(file);
    file = null;
  };

  return {
    flush: () => {
      if (running === null) return start();
      next ??= running.then(start, start);
      return next;
    },
    close: () => {
      closed = true;
      // Its number would be given to another file while it is flushed.
      if (running === null) closeFile();
      else running.then(closeFile, closeFile);
    },
  };
}

/**
 * The log is made anew when the first handle opens the database; until its folder is flushed a
 * power cut may take it with its name.
 */
async function flushName(folder: string): Promise<void> {
  const opened = openSync(folder, constants.O_RDONLY);
  try {
    await flushFolder(opened);
  } catch (error) {
    if (!isUnable(error)) throw error;
  } finally {
    closeSync(opened);
  }
}

/**
 * Whether the file system has no way to flush a folder, as some that are mounted over a network.
 */
function isUnable(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    ["EINVAL", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(String(error.code))
  );
}
