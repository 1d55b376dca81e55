import { closeSync, constants, fdatasyncSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { median } from "../numbers.ts";
import { contenderScript } from "../receiver/contender-script.ts";
import { type Generator, measureOnce } from "../receiver/measure.ts";
import { templateBody } from "../receiver/pool.ts";
import { makeScratch } from "../scratch.ts";

/**
 * `overBareInFlushes`: what an answer takes longer than the bare one's, in flushes of the same
 * disk.
 */
export type AloneRow = {
  readonly name: string;
  readonly p50Ms: number;
  readonly overBareInFlushes: number;
};
export type Alone = { readonly flushP50Ms: number; readonly rows: readonly AloneRow[] };

export type AloneOptions = {
  readonly generator: Generator;
  readonly seconds: number;
  readonly rounds: number;
  readonly progress: (line: string) => void;
};

const names = ["bare", "one-commit", "loop", "loop-file"];

/** What one delivery waits for where no other is under way, beside what the disk takes for one. */
export async function measureAlone({
  generator,
  seconds,
  rounds,
  progress,
}: AloneOptions): Promise<Alone> {
  const times = new Map<string, number[]>(names.map((name) => [name, []]));
  const flushes: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const { p50Ms } = await measureOnce(
        contenderScript(name),
        generator,
        { connections: 1, seconds },
        0,
        process.execArgv,
      );
      times.get(name)?.push(p50Ms);
      progress(`limits: alone ${round + 1}/${rounds} ${name} ${p50Ms.toFixed(3)} ms`);
    }
    flushes.push(timeFlushes(300));
  }
  const flushP50Ms = median(flushes);
  const bare = median(times.get("bare") ?? []);
  const rows = names.map((name) => {
    const p50Ms = median(times.get(name) ?? []);
    return {
      name,
      p50Ms: Number(p50Ms.toFixed(3)),
      overBareInFlushes: Number(((p50Ms - bare) / flushP50Ms).toFixed(2)),
    };
  });
  return { flushP50Ms: Number(flushP50Ms.toFixed(3)), rows };
}

/**
 * Median milliseconds of writing a body of median size over blocks that are there, and flushing it.
 */
function timeFlushes(times: number): number {
  const folder = makeScratch("flush-");
  try {
    const file = openSync(join(folder, "blocks"), constants.O_RDWR | constants.O_CREAT);
    const body = Buffer.from(templateBody(), "latin1");
    const taken: number[] = [];
    writeSync(file, Buffer.alloc(body.length * times), 0, body.length * times, 0);
    fdatasyncSync(file);
    for (let n = 0; n < times; n += 1) {
      const began = performance.now();
      writeSync(file, body, 0, body.length, n * body.length);
      fdatasyncSync(file);
      taken.push(performance.now() - began);
    }
    closeSync(file);
    return median(taken);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
