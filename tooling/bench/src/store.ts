import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { NewDelivery, Store } from "@loopwork/core/ports";
import { openStore } from "@loopwork/store";
import { openPostgresStore } from "@loopwork/store-postgres";
import { median, percentile } from "./numbers.ts";
import { templateBody } from "./receiver/pool.ts";
import { makeScratch } from "./scratch.ts";
import { type Database, startBenchServer } from "./store/postgres.ts";
import { claimItem, dispatchTurn, endTurn } from "./store/work.ts";

/** One row of `npm run bench -- store`; keys as in the document on measuring. */
export type DriverResult = {
  readonly name: string;
  /**
   * Deliveries of median real size that were durable, or as durable as the driver makes them, in a
   * second.
   */
  readonly acceptsPerSecond: number;
  readonly acceptP99Ms: number;
  /**
   * From reading a stored delivery to the end of the transaction that makes a new work item of it
   * and queues its first turn.
   */
  readonly claimP99Ms: number;
  /**
   * From looking for a lane to the end of the transaction after which its session may be given the
   * turn.
   */
  readonly dispatchP99Ms: number;
};

export type StoreResult = { readonly drivers: readonly DriverResult[] };

export type StoreBenchOptions = {
  /** How long deliveries are accepted in each round. */
  readonly seconds?: number;
  /** Deliveries under way at once. */
  readonly connections?: number;
  readonly rounds?: number;
  /** Work items that are claimed, one after the other, and dispatched in each round. */
  readonly items?: number;
  readonly progress: (line: string) => void;
};

/** One driver under measurement; `fresh` makes an empty store and what removes it. */
type Contender = { readonly name: string; fresh(): Promise<Database> };

const idDigits = 12;

/**
 * Each driver by itself, without a receiver before it: in turns, every other round in reverse, with
 * an empty store each time. PostgreSQL is a server of its own on the same disk, over loopback,
 * flushing as one that is in use does.
 */
export async function benchStore(options: StoreBenchOptions): Promise<StoreResult> {
  const server = await startBenchServer(options.progress);
  try {
    return await benchContenders(
      [memory, sqlite, { name: "postgres", fresh: () => server.fresh() }],
      options,
    );
  } finally {
    await server.stop();
  }
}

const memory: Contender = {
  name: "memory",
  fresh: async () => ({ url: "memory:", remove: async () => {} }),
};
const sqlite: Contender = {
  name: "sqlite",
  fresh: async () => {
    const folder = makeScratch("store-");
    return {
      url: `sqlite:${join(folder, "loop.db")}`,
      remove: async () => rmSync(folder, { recursive: true, force: true }),
    };
  },
};

async function benchContenders(
  contenders: readonly Contender[],
  { seconds = 2, connections = 64, rounds = 3, items = 500, progress }: StoreBenchOptions,
): Promise<StoreResult> {
  const samples = new Map<string, DriverResult[]>(contenders.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const contender of round % 2 === 0 ? contenders : contenders.toReversed()) {
      const sample = await measure(contender, seconds * 1000, connections, items);
      samples.get(contender.name)?.push(sample);
      progress(
        `store: round ${round + 1}/${rounds} ${contender.name.padEnd(8)} ${sample.acceptsPerSecond}/s, p99 ${sample.acceptP99Ms} ms; claim p99 ${sample.claimP99Ms} ms, dispatch p99 ${sample.dispatchP99Ms} ms`,
      );
    }
  }
  const medianOf = (name: string, key: Exclude<keyof DriverResult, "name">): number =>
    median((samples.get(name) ?? []).map((sample) => sample[key]));
  return {
    drivers: contenders.map(({ name }) => ({
      name,
      acceptsPerSecond: medianOf(name, "acceptsPerSecond"),
      acceptP99Ms: medianOf(name, "acceptP99Ms"),
      claimP99Ms: medianOf(name, "claimP99Ms"),
      dispatchP99Ms: medianOf(name, "dispatchP99Ms"),
    })),
  };
}

async function measure(
  { name, fresh }: Contender,
  ms: number,
  connections: number,
  items: number,
): Promise<DriverResult> {
  const { url, remove } = await fresh();
  try {
    // Nothing decides while deliveries are accepted, so the bound of undecided ones would end the
    // measurement.
    const open = name === "postgres" ? openPostgresStore : openStore;
    const store = await open(url, {
      instance: "bench",
      now: Date.now,
      maxBacklog: Number.MAX_SAFE_INTEGER,
    });
    try {
      const deliver = deliveries();
      await accept(store, deliver, Math.min(500, ms), connections);
      const accepted = await accept(store, deliver, ms, connections);
      // Fewer than were asked for where little was accepted.
      const claimed = await timed(await store.log.undecided(items), (delivery) =>
        claimItem(store, delivery),
      );
      const dispatched = await timed(
        claimed,
        () => dispatchTurn(store),
        (taken) => endTurn(store, taken),
      );
      return {
        name,
        acceptsPerSecond: Math.round((accepted.latencies.length * 1000) / accepted.elapsedMs),
        acceptP99Ms: p99(accepted.latencies),
        claimP99Ms: p99(claimed),
        dispatchP99Ms: p99(dispatched),
      };
    } finally {
      await store.close();
    }
  } finally {
    await remove();
  }
}

/** Keeps `connections` deliveries under way for a time; how long each took, in milliseconds. */
async function accept(
  store: Store,
  deliver: () => NewDelivery,
  ms: number,
  connections: number,
): Promise<{ readonly latencies: readonly number[]; readonly elapsedMs: number }> {
  const latencies: number[] = [];
  const start = performance.now();
  const connection = async (): Promise<void> => {
    while (performance.now() - start < ms) {
      const delivery = deliver();
      const sent = performance.now();
      const answer = await store.append(delivery);
      if (answer.kind !== "accepted")
        throw new Error(`a new delivery was taken for a ${answer.kind}`);
      latencies.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return { latencies, elapsedMs: performance.now() - start };
}

/** Deliveries with ids and bodies of their own, as a receiver would hand them over. */
function deliveries(): () => NewDelivery {
  const template = Buffer.from(templateBody(), "latin1");
  let n = 0;
  return () => {
    n += 1;
    const id = String(n).padStart(idDigits, "0");
    const body = Buffer.from(template);
    body.write(id, body.length - idDigits - 2, "latin1");
    // The receiver has the digest from the signature; that it is spread evenly is what counts here.
    return {
      id: `72d3162e-cc78-11e3-${id}`,
      source: "webhook",
      event: "issue_comment",
      verified: true,
      receivedAt: Date.now(),
      digest: createHash("sha256").update(id).digest("hex"),
      body,
      ignored: null,
    };
  };
}

/**
 * How long the work took for each, in milliseconds, one after the other; what follows it is not
 * counted.
 */
async function timed<T, R>(
  each: readonly T[],
  work: (one: T) => Promise<R>,
  after: (result: R) => Promise<void> = async () => {},
): Promise<readonly number[]> {
  const taken: number[] = [];
  for (const one of each) {
    const start = performance.now();
    const result = await work(one);
    taken.push(performance.now() - start);
    await after(result);
  }
  return taken;
}

function p99(values: readonly number[]): number {
  return Number(percentile(values, 0.99).toFixed(3));
}
