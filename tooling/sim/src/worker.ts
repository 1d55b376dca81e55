import { parentPort } from "node:worker_threads";
import { noPlant, plants } from "./plants.ts";
import type { SeedResult, Share } from "./pool.ts";
import { runSeed } from "./run.ts";

/**
 * A thread of the simulator: it is given ranges of seeds, and answers each with what their runs
 * came to.
 */
parentPort?.on(
  "message",
  (share: Share) => void run(share).then((results) => parentPort?.postMessage(results, [])),
);

async function run({ from, count, plant: name }: Share): Promise<readonly SeedResult[]> {
  const plant = plants.find((each) => each.name === name) ?? noPlant;
  const results: SeedResult[] = [];
  for (let n = from; n < from + count; n += 1) {
    const { seed, steps, violations, traceHash } = await runSeed(n, plant);
    results.push({ seed, steps, violations, traceHash });
  }
  return results;
}
