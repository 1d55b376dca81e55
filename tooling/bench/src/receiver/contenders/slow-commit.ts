import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { type Disk, realDisk } from "@loopwork/receiver";

/** The real disk with a slower flush. The wait is in whole milliseconds, rounded up: timers have no finer grain. */
export function slowDisk(delayUs: number): Disk {
  return {
    create: async (...args) => {
      const file = await realDisk.create(...args);
      const flush = async (): Promise<void> => {
        await file.flush();
        await sleep(Math.ceil(delayUs / 1000));
      };
      return { ...file, flush };
    },
  };
}

/** Makes every flush of a file that this process asks for off its thread end later. To be called before the store is loaded. */
export function slowFlushes(delayUs: number): void {
  const { fdatasync } = fs;
  fs.fdatasync = Object.assign((file: number, done: (error: NodeJS.ErrnoException | null) => void): void => fdatasync(file, (error) => void setTimeout(done, Math.ceil(delayUs / 1000), error)), fdatasync);
  syncBuiltinESMExports();
}
