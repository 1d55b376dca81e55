import type { RuntimeSettings } from "@loopwork/runtime";
import { createMemoryData, type MemoryData } from "@loopwork/store/memory";
import type { Delivery } from "@loopwork-tooling/practice-host/world";
import { createHarness } from "../harness/program.ts";
import { createTranscripts, type Transcripts } from "../harness/transcripts.ts";
import { createHost, type Host } from "../host/host.ts";
import { createMonitor, type Monitor } from "../judge/monitor.ts";
import type { Plant } from "../plants.ts";
import { createRandom, type Random } from "../random.ts";
import { createScheduler, type Scheduler } from "../scheduler.ts";
import { createTrace, type Trace } from "../trace.ts";
import { createAgent } from "./agent.ts";
import { type Lives, createLives } from "./lives.ts";
import { createMachine, type Machine } from "./machine.ts";
import { createRequests, type Requests } from "./requests.ts";
import { settingsFor } from "./settings.ts";
import { createTravel, type Travel } from "./travel.ts";
import { drawTrouble, type Trouble } from "./trouble.ts";
import type { Checkouts } from "./workspace.ts";

/**
 * Everything of one run. What a crash of the daemon leaves behind stands here; what it takes stands
 * in a life.
 */
export type World = {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly trace: Trace;
  readonly settings: RuntimeSettings;
  readonly plant: Plant;
  readonly data: MemoryData;
  readonly machine: Machine;
  readonly transcripts: Transcripts;
  readonly checkouts: Checkouts;
  readonly requests: Requests;
  readonly host: Host;
  readonly travel: Travel;
  readonly lives: Lives;
  readonly monitor: Monitor;
  trouble: Trouble;
  /** The machine's clock, milliseconds since 1970. It may jump; the host's own does not. */
  readonly wallClock: () => number;
  jumpClock(ms: number): void;
  /** Times of polls that read everything. */
  polled(whole: boolean): void;
  lastWholePoll(): number | null;
  firstWholePoll(): number | null;
  /** Deliveries that did not arrive are looked for in the host's own list. */
  readonly auditing: boolean;
  audited(began: number): void;
  /** When the last look that saw the whole list began: what is lost after that it does not see. */
  lastWholeAudit(): number | null;
  /** Something broke that must never break. */
  fault(error: unknown): void;
  readonly faults: readonly string[];
};

const epoch = Date.UTC(2026, 0, 15, 12);

export function createWorld(seed: number, plant: Plant, detailed: boolean): World {
  const random = createRandom(seed);
  const scheduler = createScheduler(random);
  const trace = createTrace(scheduler.now, detailed);
  const [polling, auditing] = [random.chance(0.5), random.chance(0.5)];
  const settings = settingsFor({
    quietSeconds: random.pick([0, 1, 5]),
    maxConcurrentTurns: random.int(1, 4),
    polling,
    budgetTurns: random.chance(0.1) ? random.int(2, 4) : null,
  });
  const transcripts = createTranscripts();
  const requests = createRequests();
  const checkouts: Checkouts = new Map();
  const faults: string[] = [];
  let offset = 0;
  let [firstWholePoll, lastWholePoll, lastWholeAudit]: (number | null)[] = [null, null, null];
  const hostClock = (): number => epoch + scheduler.now();
  const host = createHost(
    hostClock,
    random,
    random.chance(0.3) ? "ada" : "loop-agent",
    (delivery: Delivery) => world.travel.send(delivery),
  );
  const monitor = createMonitor(() => world);
  const harness = createHarness({
    scheduler,
    random,
    trace,
    transcripts,
    trouble: () => world.trouble.harness,
    work: createAgent(() => world),
    onMessage: monitor.message,
  });
  const world: World = {
    scheduler,
    random,
    trace,
    settings,
    plant,
    data: createMemoryData(),
    machine: createMachine(scheduler, random, trace, harness, monitor.watched),
    transcripts,
    checkouts,
    requests,
    host,
    travel: createTravel(() => world),
    lives: createLives(() => world),
    monitor,
    trouble: drawTrouble(random, polling || auditing),
    wallClock: () => epoch + scheduler.now() + offset,
    jumpClock(ms) {
      trace.say(`clock jumps by ${ms}`);
      offset += ms;
    },
    polled(whole) {
      if (!whole) return;
      firstWholePoll ??= scheduler.now();
      lastWholePoll = scheduler.now();
    },
    firstWholePoll: () => firstWholePoll ?? null,
    lastWholePoll: () => lastWholePoll ?? null,
    auditing,
    audited: (began) => void (lastWholeAudit = began),
    lastWholeAudit: () => lastWholeAudit ?? null,
    fault: (error) =>
      void faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error)),
    faults,
  };
  return world;
}
