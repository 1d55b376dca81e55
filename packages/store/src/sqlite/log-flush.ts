import { closeSync, constants, fdatasync, openSync } from "node:fs";
import { promisify } from "node:util";

const flushFile = promisify(fdatasync);

/** Flushes the write-ahead log off the thread. */
export type LogFlush = {
  /** Resolves once all that was written to the log before the call is durable. Rejects with the error of the file system. */
  flush(): Promise<void>;
  close(): void;
};

/** One flush at a time: who comes meanwhile may have written what it no longer took, and shares the next. `onFlush` is told how long each that succeeded took, in milliseconds. */
export function createLogFlush(path: string, onFlush: (ms: number) => void = () => {}): LogFlush {
  let file: number | null = null;
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;

  const start = (): Promise<void> => {
    next = null;
    running = run().finally(() => (running = null));
    return running;
  };

  const run = async (): Promise<void> => {
    file ??= openSync(path, constants.O_RDWR);
    const began = performance.now();
    await flushFile(file);
    onFlush(performance.now() - began);
  };

  return {
    flush: () => {
      if (running === null) return start();
      next ??= running.then(start, start);
      return next;
    },
    close: () => {
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}
