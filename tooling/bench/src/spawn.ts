import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { median, percentile } from "./numbers.ts";
import { measureOnce, startGenerator } from "./receiver/measure.ts";
import type { LargeSamples } from "./spawn/large.ts";

const run = promisify(execFile);

/**
 * Result of `npm run bench -- spawn`. `blockP50Ms`: how long the event loop stands still for one
 * child; `startedP50Ms`: until the child is known.
 */
export type SpawnResult = {
  readonly ways: readonly {
    readonly name: string;
    readonly residentMiB: number;
    readonly blockP50Ms: number;
    readonly blockP99Ms: number;
    readonly startedP50Ms: number;
  }[];
  /**
   * Answers of the receiver while 16 children a second are started, against a receiver that starts
   * none.
   */
  readonly intake: readonly {
    readonly name: string;
    readonly p50Ms: number;
    readonly p99Ms: number;
    readonly ratioToIdle: number;
  }[];
};

export type SpawnBenchOptions = {
  /** Each with a process for every way and size, and with a receiver for every way. */
  readonly rounds?: number;
  /** Measured time of the receiver in a round. */
  readonly seconds?: number;
  readonly connections?: number;
  /** Children that a process starts in a round. */
  readonly adds?: number;
  readonly progress: (line: string) => void;
};

const sizes = [60, 150, 300];
const names = ["direct", "broker"];

/**
 * What starting a child costs the process that starts it, by its resident memory, and what it costs
 * the deliveries that arrive meanwhile (targets 14). Ways take turns, every other round in reverse.
 */
export async function benchSpawn({
  rounds = 5,
  seconds = 4,
  connections = 4,
  adds = 60,
  progress,
}: SpawnBenchOptions): Promise<SpawnResult> {
  const cells = sizes.flatMap((mib) =>
    names.map((name) => ({ name, mib, samples: [] as LargeSamples[] })),
  );
  for (let round = 0; round < rounds; round += 1) {
    for (const cell of round % 2 === 0 ? cells : cells.toReversed()) {
      const sample = await measureLarge(cell.name, cell.mib, adds);
      cell.samples.push(sample);
      progress(
        `spawn: round ${round + 1}/${rounds} ${cell.name} at ${Math.round(sample.residentMiB)} MiB stands still for ${median(sample.blockMs).toFixed(2)} ms`,
      );
    }
  }
  const rows = cells.map(({ name, samples }) => ({
    name,
    residentMiB: Math.round(median(samples.map(({ residentMiB }) => residentMiB))),
    blockP50Ms: rounded(median(samples.flatMap(({ blockMs }) => blockMs))),
    blockP99Ms: rounded(
      percentile(
        samples.flatMap(({ blockMs }) => blockMs),
        0.99,
      ),
    ),
    startedP50Ms: rounded(median(samples.flatMap(({ startedMs }) => startedMs))),
  }));
  return { ways: rows, intake: await measureIntake(rounds, seconds, connections, progress) };
}

async function measureLarge(way: string, mib: number, count: number): Promise<LargeSamples> {
  const script = fileURLToPath(new URL("./spawn/large.ts", import.meta.url));
  const { stdout } = await run(
    process.execPath,
    [...process.execArgv, script, way, String(mib), String(count)],
    { maxBuffer: 1 << 26 },
  );
  const samples: LargeSamples = JSON.parse(stdout);
  return samples;
}

async function measureIntake(
  rounds: number,
  seconds: number,
  connections: number,
  progress: (line: string) => void,
): Promise<SpawnResult["intake"]> {
  const rows = ["idle", ...names].map((name) => ({
    name,
    p50: [] as number[],
    p99: [] as number[],
  }));
  const generator = await startGenerator(process.execArgv);
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const row of round % 2 === 0 ? rows : rows.toReversed()) {
        const script = fileURLToPath(new URL(`./spawn/intake-${row.name}.ts`, import.meta.url));
        const { p50Ms, p99Ms, bad } = await measureOnce(
          script,
          generator,
          { connections, seconds },
          0,
          process.execArgv,
        );
        if (bad > 0) throw new Error(`${bad} deliveries were not taken`);
        row.p50.push(p50Ms);
        row.p99.push(p99Ms);
        progress(
          `spawn: round ${round + 1}/${rounds} intake ${row.name} p99 ${p99Ms.toFixed(2)} ms`,
        );
      }
    }
  } finally {
    generator.stop();
  }
  const idle = median(rows[0]?.p99 ?? []);
  return rows.map(({ name, p50, p99 }) => ({
    name,
    p50Ms: rounded(median(p50)),
    p99Ms: rounded(median(p99)),
    ratioToIdle: rounded(median(p99) / idle),
  }));
}

function rounded(value: number): number {
  return Number(value.toFixed(3));
}
