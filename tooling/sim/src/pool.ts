import { Worker } from "node:worker_threads";
import type { RunResult } from "./run.ts";

/** What of a run is told beyond its thread. */
export type SeedResult = Pick<RunResult, "seed" | "steps" | "violations" | "traceHash">;
export type Share = { readonly from: number; readonly count: number; readonly plant: string };
export type Seeds = Share & { /** Threads beside each other. */ readonly workers: number };

/** Seeds that a worker is given at a time: few enough that all end at about the same time. */
const shareSize = 25;

/**
 * Runs many seeds in threads of their own. Results come in the order of the seeds, however many
 * threads there are; rejects when one of them fails.
 */
export async function runSeeds(
  { from, count, plant, workers }: Seeds,
  onResult: (result: SeedResult) => void,
): Promise<void> {
  const shares = Array.from({ length: Math.ceil(count / shareSize) }, (_, n): Share => ({
    from: from + n * shareSize,
    count: Math.min(shareSize, count - n * shareSize),
    plant,
  }));
  const waiting = new Map<number, readonly SeedResult[]>();
  let [next, told] = [0, 0];

  function tell(index: number, results: readonly SeedResult[]): void {
    waiting.set(index, results);
    for (let ready = waiting.get(told); ready !== undefined; ready = waiting.get(told)) {
      waiting.delete(told);
      told += 1;
      for (const result of ready) onResult(result);
    }
  }

  async function work(): Promise<void> {
    const worker = new Worker(
      new URL(import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js", import.meta.url),
    );
    try {
      while (next < shares.length) {
        const index = next++;
        tell(index, await ask(worker, shares[index]));
      }
    } finally {
      await worker.terminate();
    }
  }

  await Promise.all(Array.from({ length: Math.min(workers, shares.length) }, work));
}

function ask(worker: Worker, share: Share | undefined): Promise<readonly SeedResult[]> {
  return new Promise((resolve, reject) => {
    const done = (): void => void worker.off("message", answered).off("error", failed);
    const answered = (results: readonly SeedResult[]): void => {
      done();
      resolve(results);
    };
    const failed = (error: Error): void => {
      done();
      reject(error);
    };
    worker.on("message", answered).on("error", failed);
    worker.postMessage(share, []);
  });
}
