import type { Effect } from "@loopwork/core";
import type {
  DecisionRow,
  EventLine,
  InstanceLife,
  ItemState,
  NamedRepository,
  NewDelivery,
  OutboxEffect,
  RefText,
  StoredDelivery,
  StoredEvent,
  Turn,
} from "@loopwork/core/ports";
import { closedError } from "../errors.ts";
import type { LaneRow } from "../model/lane.ts";

/**
 * What a memory store keeps. Several stores may share one, as several processes share a database.
 */
export type MemoryData = {
  /** At index `seq - 1`. */
  readonly deliveries: MemoryDelivery[];
  readonly ids: Map<string, MemoryDelivery>;
  /** Newest verified delivery by digest and event. */
  readonly verified: Map<string, MemoryDelivery>;
  readonly instances: Map<string, MemoryInstance>;
  readonly items: Map<RefText, ItemState>;
  readonly lanes: Map<RefText, LaneRow>;
  /** By id, and so in the order in which they were queued. */
  readonly turns: Map<number, Turn>;
  readonly effects: MemoryEffect[];
  readonly events: StoredEvent[];
  readonly actors: Map<string, string>;
  /** By instance, repository and resource, joined by line ends. */
  readonly cursors: Map<string, string>;
  /** By host and id, joined by a line end. */
  readonly repositories: Map<string, NamedRepository>;
  /** The present life of each instance that ever began one. */
  readonly lives: Map<string, MemoryLife>;
  readonly next: { turn: number; event: number };
};

export type MemoryDelivery = StoredDelivery & {
  readonly ignored: NewDelivery["ignored"];
  body: Uint8Array | null;
};
export type MemoryEffect = {
  readonly id: number;
  readonly instance: string;
  readonly workItem: RefText;
  readonly deliveryId: string;
  readonly effect: OutboxEffect;
  readonly createdAt: number;
  state: "pending" | "done" | "failed";
  attempts: number;
  notBefore: number;
  note: string | null;
};

/** What one instance has decided. All deliveries up to `cursor` are decided or ignored. */
export type MemoryInstance = {
  cursor: number;
  undecided: number;
  readonly decisions: Map<number, DecisionRow>;
  readonly keys: Map<string, string>;
};

export type MemoryLife = InstanceLife & {
  readonly startedAt: number;
  readonly seenAt: number;
  readonly ended: boolean;
  readonly drained: boolean;
};

/** One opened handle. */
export type Memory = {
  readonly data: MemoryData;
  readonly instance: string;
  readonly now: () => number;
  readonly maxBacklog: number;
  /** Leases that this handle gave, as `lane` and `fence`. */
  readonly given: Map<RefText, number>;
  /** The life that this handle began; null before that. */
  incarnation: string | null;
  closed: boolean;
  lateWrites: number;
};

export function createMemoryData(): MemoryData {
  return {
    deliveries: [],
    ids: new Map(),
    verified: new Map(),
    instances: new Map(),
    items: new Map(),
    lanes: new Map(),
    turns: new Map(),
    effects: [],
    events: [],
    actors: new Map(),
    cursors: new Map(),
    repositories: new Map(),
    lives: new Map(),
    next: { turn: 1, event: 1 },
  };
}

/** The data, as long as the handle is open. */
export function open(memory: Memory): MemoryData {
  if (memory.closed) throw closedError();
  return memory.data;
}

export function instanceOf(memory: Memory): MemoryInstance {
  const known = memory.data.instances.get(memory.instance);
  if (known !== undefined) return known;
  const fresh: MemoryInstance = {
    cursor: 0,
    undecided: memory.data.deliveries.filter((each) => each.ignored === null).length,
    decisions: new Map(),
    keys: new Map(),
  };
  memory.data.instances.set(memory.instance, fresh);
  return fresh;
}

export function appendLines(data: MemoryData, lines: readonly EventLine[]): void {
  for (const line of lines) data.events.push({ id: data.next.event++, ...line });
}

export function appendEffects(
  memory: Memory,
  workItem: RefText,
  deliveryId: string,
  effects: readonly Effect[],
): void {
  for (const effect of effects) {
    if (effect.kind === "turn" || effect.kind === "drop-turns") continue;
    const text = JSON.stringify(effect);
    if (
      memory.data.effects.some(
        (each) =>
          each.instance !== memory.instance &&
          each.workItem === workItem &&
          each.deliveryId === deliveryId &&
          JSON.stringify(each.effect) === text,
      )
    )
      continue;
    memory.data.effects.push({
      id: memory.data.effects.length + 1,
      instance: memory.instance,
      workItem,
      deliveryId,
      effect,
      createdAt: memory.now(),
      state: "pending",
      attempts: 0,
      notBefore: 0,
      note: null,
    });
  }
}
