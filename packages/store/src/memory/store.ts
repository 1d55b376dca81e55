import type { Store, StoredEvent, StoreOptions, StoreStats, TurnState } from "@loopwork/core/ports";
import { type Happened, mostCounted, stepsOf } from "../model/activity.ts";
import { defaultMaxBacklog } from "../model/limits.ts";
import { createMemoryData, instanceOf, type Memory, type MemoryData, open } from "./data.ts";
import { createMemoryCursors } from "./cursors.ts";
import { createMemoryInstances } from "./instances.ts";
import { createMemoryItems } from "./items.ts";
import { createMemoryLanes, laneCounts } from "./lanes.ts";
import { appendToMemory, createMemoryLog } from "./log.ts";
import { createMemoryEvents, createMemoryOutbox } from "./outbox.ts";
import { createMemoryRepositories } from "./repositories.ts";

/** A store that lives as long as its data: for tests, the simulator and `memory:`. */
export function createMemoryStore(
  options: StoreOptions & { readonly maxBacklog?: number },
  data: MemoryData = createMemoryData(),
): Store {
  const memory: Memory = {
    data,
    instance: options.instance,
    now: options.now,
    maxBacklog: options.maxBacklog ?? defaultMaxBacklog,
    given: new Map(),
    incarnation: null,
    closed: false,
    lateWrites: 0,
  };
  instanceOf(memory);
  return {
    append: (delivery) => appendToMemory(memory, delivery),
    log: createMemoryLog(memory),
    items: createMemoryItems(memory),
    lanes: createMemoryLanes(memory),
    outbox: createMemoryOutbox(memory),
    events: createMemoryEvents(memory),
    cursors: createMemoryCursors(memory),
    repositories: createMemoryRepositories(memory),
    instances: createMemoryInstances(memory),
    stats: async () => statsOf(memory),
    activity: async ({ since, stepMs }) =>
      stepsOf(happenedSince(open(memory), since), since, stepMs),
    listen: () => () => {},
    close: async () => {
      memory.closed = true;
    },
  };
}

/** A turn that failed for good and holds its lane is told in two lines of one delivery. */
function isFailure({ kind, reason }: StoredEvent): boolean {
  return kind === "turn.failed" || (kind === "lane.held" && reason === "failed");
}

function happenedSince(
  { deliveries, events: all }: MemoryData,
  since: number,
): readonly Happened[] {
  const events = all.slice(-mostCounted);
  const accepted = deliveries
    .slice(-mostCounted)
    .filter(({ ignored }) => ignored === null)
    .map(({ receivedAt }): Happened => ({ what: "accepted", at: receivedAt, count: 1 }));
  const decided = events
    .filter(({ kind }) => kind === "delivery.decided")
    .map(({ time }): Happened => ({ what: "decided", at: time, count: 1 }));
  const failures = new Map(
    events.filter(isFailure).map(({ id, delivery, time }) => [delivery ?? id, time]),
  );
  const failed = [...failures.values()].map((at): Happened => ({ what: "failed", at, count: 1 }));
  return [...accepted, ...decided, ...failed].filter(({ at }) => at >= since);
}

function statsOf(memory: Memory): StoreStats {
  const data = open(memory);
  const turns: Record<TurnState, number> = {
    ready: 0,
    injecting: 0,
    done: 0,
    failed: 0,
    uncertain: 0,
    dropped: 0,
  };
  for (const turn of data.turns.values())
    if (data.lanes.get(turn.lane)?.instance === memory.instance) turns[turn.state] += 1;
  const { held, leased } = laneCounts(memory);
  const pendingEffects = data.effects.filter(
    (each) => each.instance === memory.instance && each.state === "pending",
  ).length;
  return {
    undecided: instanceOf(memory).undecided,
    turns,
    lanesHeld: held,
    lanesLeased: leased,
    pendingEffects,
    lateWrites: memory.lateWrites,
  };
}
