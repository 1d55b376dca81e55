import { closeSync, openSync, readdirSync, readSync } from "node:fs";

/**
 * How a process fared within one window. `worstMs`: the longest that its event loop was away, less
 * what the thread waited for a processor meanwhile, where the system tells that (Linux); `cpuMs` is
 * what it computed in that time. A loop that computes, or waits for a disk in one call, counts; a
 * busy machine does not.
 */
export type Sample = {
  readonly at: number;
  readonly worstMs: number;
  readonly cpuMs: number;
  readonly rssMiB: number;
  readonly openFiles: number;
};

const tickMs = 5;
const windowMs = 250;

/** Measures this process from within, and tells one sample a window. */
export function startProbe(tell: (sample: Sample) => void): void {
  const waited = waitedForProcessor();
  let last = { at: performance.now(), waited: waited(), spent: spentMs() };
  let worst = { worstMs: 0, cpuMs: 0 };
  let toldAt = last.at;
  setInterval(() => {
    const now = { at: performance.now(), waited: waited(), spent: spentMs() };
    const away = now.at - last.at - tickMs - (now.waited - last.waited);
    if (away > worst.worstMs) worst = { worstMs: away, cpuMs: now.spent - last.spent };
    last = now;
    if (now.at - toldAt < windowMs) return;
    tell({ at: Date.now(), ...worst, ...sizeOfProcess() });
    worst = { worstMs: 0, cpuMs: 0 };
    last = { at: performance.now(), waited: waited(), spent: spentMs() }; // What telling took is not the loop's.
    toldAt = last.at;
  }, tickMs);
}

/** Milliseconds that this thread has computed. */
function spentMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

export function sizeOfProcess(): Pick<Sample, "rssMiB" | "openFiles"> {
  return { rssMiB: process.memoryUsage.rss() / 1_048_576, openFiles: openFiles() };
}

function openFiles(): number {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return 0; // Only Linux lists them there.
  }
}

/**
 * Milliseconds that this thread was ready to run and had no processor, so far; 0 for ever where the
 * system does not tell.
 */
function waitedForProcessor(): () => number {
  const bytes = Buffer.alloc(128);
  try {
    const file = openSync(`/proc/self/task/${process.pid}/schedstat`, "r");
    process.once("exit", () => closeSync(file));
    return () =>
      Number(bytes.toString("latin1", 0, readSync(file, bytes, 0, bytes.length, 0)).split(" ")[1]) /
      1e6;
  } catch {
    return () => 0;
  }
}
