import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { type Disk, realDisk } from "@loopwork/receiver";

/**
 * The real disk with a slower flush. The wait is in whole milliseconds, rounded up: timers have no
 * finer grain.
 */
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

/**
 * Makes every flush that this process asks for off its thread end later: of a file, and the one
 * that is part of each write to a file that was opened for that. To be called before the store is
 * loaded.
 */
export function slowFlushes(delayUs: number): void {
  const delayMs = Math.ceil(delayUs / 1_000);
  const flushed = new Set<unknown>();
  const { openSync } = fs;
  fs.openSync = (...args: Parameters<typeof openSync>): number => {
    const file = openSync(...args);
    if (typeof args[1] === "number" && (args[1] & fs.constants.O_DSYNC) !== 0) flushed.add(file);
    else flushed.delete(file);
    return file;
  };
  fs.fdatasync = heldUp(fs.fdatasync, delayMs, () => true);
  fs.write = heldUp(fs.write, delayMs, (file) => flushed.has(file));
  syncBuiltinESMExports();
}

/**
 * The same, but what it calls back is called later where `isSlow` says so of its first argument.
 */
function heldUp<Call extends (...args: never[]) => unknown>(
  call: Call,
  delayMs: number,
  isSlow: (file: unknown) => boolean,
): Call {
  return new Proxy(call, {
    apply(target, self, args: unknown[]) {
      const done = args.at(-1);
      if (typeof done !== "function" || !isSlow(args[0])) return Reflect.apply(target, self, args);
      const later = (...told: unknown[]): void =>
        void setTimeout(() => Reflect.apply(done, undefined, told), delayMs);
      return Reflect.apply(target, self, [...args.slice(0, -1), later]);
    },
  });
}
