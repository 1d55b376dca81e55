import { setTimeout as sleep } from "node:timers/promises";
import { nothing, ways } from "./ways.ts";

/** What one large process measured: milliseconds, one of each a child. */
export type LargeSamples = {
  readonly residentMiB: number;
  readonly blockMs: readonly number[];
  readonly startedMs: readonly number[];
};

const pieceBytes = 256 * 1024;
const betweenMs = 20;

/**
 * Starts `count` children, one after the other, from a process that has at least `mib` MiB
 * resident, each page of it written to.
 */
async function measure(way: string, mib: number, count: number): Promise<LargeSamples> {
  const { start, close } = ways[way]?.() ?? fail(way);
  await (
    await start(nothing)
  ).exit;
  const kept: Buffer[] = [];
  while (residentMiB() < mib) kept.push(Buffer.alloc(pieceBytes, 1));
  const [blockMs, startedMs]: [number[], number[]] = [[], []];
  for (let n = 0; n < count; n += 1) {
    const before = performance.now();
    const starting = start(nothing);
    blockMs.push(performance.now() - before);
    const child = await starting;
    startedMs.push(performance.now() - before);
    child.input.end();
    await child.exit;
    for (const piece of kept) piece[n] = n; // A process that works writes to its memory between two children.
    await sleep(betweenMs);
  }
  close();
  return { residentMiB: residentMiB(), blockMs, startedMs };
}

function residentMiB(): number {
  return process.memoryUsage.rss() / 2 ** 20;
}

function fail(way: string): never {
  throw new Error(`there is no way ${way} to start a child`);
}

const [way = "", mib = "0", count = "0"] = process.argv.slice(2);
process.stdout.write(JSON.stringify(await measure(way, Number(mib), Number(count))));
