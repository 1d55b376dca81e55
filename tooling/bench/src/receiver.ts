import { median } from "./numbers.ts";
import { contenderScript } from "./receiver/contender-script.ts";
import { measureOnce, type Sample, startGenerator } from "./receiver/measure.ts";
import { installPeers, peersFolder } from "./receiver/peers.ts";

/** One row of `npm run bench -- receiver`; keys as in the document on measuring. */
export type ContenderResult = {
  readonly name: string;
  readonly durable: boolean;
  readonly requestsPerSecond: number;
  /** Requests per second against those of `bare` in the same run. */
  readonly ratio: number;
  readonly cpuMicrosPerRequest: number;
  readonly cpuRatio: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly rssMiB: number;
  /** Answers other than 2xx, and broken connections. */
  readonly bad: number;
};

/**
 * `generatorCpu`: the largest share of a core that the load generator took; near 1, judge by CPU
 * and not by requests.
 */
export type ReceiverResult = {
  readonly contenders: readonly ContenderResult[];
  readonly generatorCpu: number;
};

export type ReceiverBenchOptions = {
  /** Measured time of one shot; each contender gets `rounds` of them. */
  readonly seconds?: number;
  readonly connections?: number;
  readonly rounds?: number;
  /** Wait after each commit of every durable contender, in microseconds. */
  readonly flushDelayUs?: number;
  /** Names of contenders; all without it. `bare` always runs. */
  readonly only?: readonly string[];
  readonly progress: (line: string) => void;
};

type Contender = {
  readonly name: string;
  readonly durable: boolean;
  readonly script: string;
  readonly isPeer: boolean;
};

const contenders: readonly Contender[] = [
  ours("bare", false),
  ours("loop", true),
  ours("loop-file", true),
  ours("loop-keeps-nothing", false),
  peer("probot"),
  peer("octokit-webhooks"),
];

/**
 * How many deliveries a receiver takes, and what each costs: unique signed bodies of median real
 * size, from a process of its own. Contenders take turns within one run, every other round in
 * reverse, so that a busy minute hits all of them.
 */
export async function benchReceiver(options: ReceiverBenchOptions): Promise<ReceiverResult> {
  const { seconds = 3, connections = 64, rounds = 3, flushDelayUs = 0, only, progress } = options;
  if (process.platform !== "linux")
    throw new Error("CPU time is read from /proc: this benchmark runs on Linux only");
  const chosen = contenders.filter(
    ({ name }) => name === "bare" || only === undefined || only.includes(name),
  );
  if (chosen.some(({ isPeer }) => isPeer)) installPeers(progress);
  progress("receiver: signing deliveries");
  const nodeFlags = process.execArgv;
  const generator = await startGenerator(nodeFlags);
  try {
    const samples = new Map<string, Sample[]>(chosen.map(({ name }) => [name, []]));
    for (let round = 0; round < rounds; round += 1) {
      for (const contender of round % 2 === 0 ? chosen : chosen.toReversed()) {
        const sample = await measureOnce(
          contender.script,
          generator,
          { connections, seconds },
          flushDelayUs,
          nodeFlags,
        );
        samples.get(contender.name)?.push(sample);
        progress(
          `receiver: round ${round + 1}/${rounds} ${contender.name.padEnd(16)} ${Math.round(sample.requestsPerSecond)}/s, ${sample.cpuMicrosPerRequest.toFixed(1)} us CPU, p99 ${sample.p99Ms.toFixed(1)} ms`,
        );
      }
    }
    return summarise(chosen, samples);
  } finally {
    generator.stop();
  }
}

function summarise(
  chosen: readonly Contender[],
  samples: ReadonlyMap<string, readonly Sample[]>,
): ReceiverResult {
  const medianOf = (name: string, key: keyof Sample): number =>
    median((samples.get(name) ?? []).map((sample) => sample[key]));
  const rows = chosen.map(({ name, durable }) => ({
    name,
    durable,
    requestsPerSecond: Math.round(medianOf(name, "requestsPerSecond")),
    ratio: rounded(medianOf(name, "requestsPerSecond") / medianOf("bare", "requestsPerSecond"), 3),
    cpuMicrosPerRequest: rounded(medianOf(name, "cpuMicrosPerRequest"), 1),
    cpuRatio: rounded(
      medianOf(name, "cpuMicrosPerRequest") / medianOf("bare", "cpuMicrosPerRequest"),
      3,
    ),
    p50Ms: rounded(medianOf(name, "p50Ms"), 3),
    p99Ms: rounded(medianOf(name, "p99Ms"), 3),
    rssMiB: rounded(Math.max(...(samples.get(name) ?? []).map((sample) => sample.rssMiB)), 1),
    bad: (samples.get(name) ?? []).reduce((sum, sample) => sum + sample.bad, 0),
  }));
  return {
    contenders: rows,
    generatorCpu: rounded(
      Math.max(...[...samples.values()].flat().map((sample) => sample.generatorCpu)),
      3,
    ),
  };
}

function ours(name: string, durable: boolean): Contender {
  return { name, durable, script: contenderScript(name), isPeer: false };
}

function peer(name: string): Contender {
  return { name, durable: false, script: `${peersFolder}${name}.mjs`, isPeer: true };
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
