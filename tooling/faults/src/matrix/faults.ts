import { closeSync, openSync, readSync, writeSync } from "node:fs";

/**
 * What happens at a failpoint: the process is killed, the disk fails or is full, the process is
 * stopped until somebody wakes it.
 */
export const faults = ["kill", "eio", "enospc", "stop"] as const;
export type Fault = (typeof faults)[number];
export type DiskFault = Extract<Fault, "eio" | "enospc">;

export function isFault(name: string): name is Fault {
  return faults.some((fault) => fault === name);
}

/** Kills this process, or stops it; then it goes on once somebody has sent SIGCONT. */
export function signalSelf(fault: Exclude<Fault, DiskFault>): void {
  process.kill(process.pid, fault === "kill" ? "SIGKILL" : "SIGSTOP");
  if (fault === "kill") for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/**
 * An error of the file system as this very system makes it: a full device, or memory that cannot be
 * read. Linux only.
 */
export function errnoError(fault: DiskFault): NodeJS.ErrnoException {
  const file = fault === "enospc" ? openSync("/dev/full", "w") : openSync("/proc/self/mem", "r");
  try {
    if (fault === "enospc") writeSync(file, "x");
    else readSync(file, Buffer.alloc(1), 0, 1, 0);
  } catch (error) {
    if (error instanceof Error) return error;
  } finally {
    closeSync(file);
  }
  throw new Error("this system has no device that fails as wanted");
}
