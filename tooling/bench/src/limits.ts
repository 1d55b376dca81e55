import { type Alone, measureAlone } from "./limits/alone.ts";
import { measureSlowDisk, type SlowDisk } from "./limits/slow-disk.ts";
import { measureStart, type Start } from "./limits/start.ts";
import { startGenerator } from "./receiver/measure.ts";

/**
 * Result of `npm run bench -- limits`: the receiver on a slow disk, with one delivery at a time,
 * and starting over a full inbox.
 */
export type LimitsResult = {
  readonly slowDisk: SlowDisk;
  readonly alone: Alone;
  readonly start: Start;
};

export type LimitsOptions = {
  /** Measured time of one shot. */
  readonly seconds?: number;
  readonly rounds?: number;
  /** What a flush of the slow disk takes longer, in microseconds. */
  readonly flushDelayUs?: number;
  /** Deliveries in the inbox over which a receiver starts. */
  readonly adds?: number;
  readonly progress: (line: string) => void;
};

/** Contenders take turns in all three, every other round in reverse. */
export async function benchLimits({
  seconds = 2,
  rounds = 3,
  flushDelayUs = 2_000,
  adds = 100_000,
  progress,
}: LimitsOptions): Promise<LimitsResult> {
  progress("limits: signing deliveries");
  const generator = await startGenerator(process.execArgv);
  try {
    const slowDisk = await measureSlowDisk({
      generator,
      seconds,
      rounds,
      flushDelayUs,
      connections: [64, 256],
      progress,
    });
    const alone = await measureAlone({ generator, seconds, rounds, progress });
    return {
      slowDisk,
      alone,
      start: await measureStart({ deliveries: adds, rounds: rounds + 2, progress }),
    };
  } finally {
    generator.stop();
  }
}
