import { median } from "../numbers.ts";
import { contenderScript } from "../receiver/contender-script.ts";
import { type Generator, measureOnce, type Sample } from "../receiver/measure.ts";

/**
 * `ratio`: requests per second against those of one commit per request with as many connections.
 */
export type SlowDiskRow = {
  readonly name: string;
  readonly connections: number;
  readonly requestsPerSecond: number;
  readonly ratio: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
};
export type SlowDisk = { readonly flushDelayUs: number; readonly rows: readonly SlowDiskRow[] };

export type SlowDiskOptions = {
  readonly generator: Generator;
  readonly seconds: number;
  readonly rounds: number;
  readonly flushDelayUs: number;
  readonly connections: readonly number[];
  readonly progress: (line: string) => void;
};

const names = ["one-commit", "loop", "loop-file"];

/** Durable receivers on a disk of which each flush takes longer, in turns. */
export async function measureSlowDisk({
  generator,
  seconds,
  rounds,
  flushDelayUs,
  connections,
  progress,
}: SlowDiskOptions): Promise<SlowDisk> {
  const cells = connections.flatMap((count) =>
    names.map((name) => ({ name, connections: count, samples: [] as Sample[] })),
  );
  for (let round = 0; round < rounds; round += 1) {
    for (const cell of round % 2 === 0 ? cells : cells.toReversed()) {
      const sample = await measureOnce(
        contenderScript(cell.name),
        generator,
        { connections: cell.connections, seconds },
        flushDelayUs,
        process.execArgv,
      );
      cell.samples.push(sample);
      progress(
        `limits: slow disk ${round + 1}/${rounds} ${cell.name} with ${cell.connections} connections: ${Math.round(sample.requestsPerSecond)}/s`,
      );
    }
  }
  const rateOf = (name: string, count: number): number =>
    median(
      cells
        .find((cell) => cell.name === name && cell.connections === count)
        ?.samples.map(({ requestsPerSecond }) => requestsPerSecond) ?? [],
    );
  const rows = cells.map(({ name, connections: count, samples }) => ({
    name,
    connections: count,
    requestsPerSecond: Math.round(rateOf(name, count)),
    ratio: Number((rateOf(name, count) / rateOf("one-commit", count)).toFixed(1)),
    p50Ms: Number(median(samples.map(({ p50Ms }) => p50Ms)).toFixed(2)),
    p99Ms: Number(median(samples.map(({ p99Ms }) => p99Ms)).toFixed(2)),
  }));
  return { flushDelayUs, rows };
}
