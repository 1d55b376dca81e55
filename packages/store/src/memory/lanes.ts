import type { Lanes, Lease, MergeTurns, RefText, TakenLane, Turn } from "@loopwork/core/ports";
import {
  type Candidate,
  chooseLane,
  holdLasts,
  type LaneRow,
  type LaneSource,
  leaseLasts,
} from "../model/lane.ts";
import { maxShownTurns } from "../model/limits.ts";
import { begun, holdAfterResolve, mergedInputs, resolved, settled } from "../model/turn.ts";
import { appendEffects, appendLines, type Memory, open } from "./data.ts";
import { isPresentLife } from "./present-life.ts";
import { loadItem, saveItem } from "./items.ts";
import { standing } from "./turns.ts";

export function createMemoryLanes(memory: Memory): Lanes {
  return {
    take: async (request) => (isPresentLife(memory) ? take(memory, request) : null),
    wakeAt: async (now, merge) => chooseLane(sourceOf(memory, now), now, merge).wakeAt,
    renew: async (lease, now, leaseMs) => {
      const lane = heldBy(memory, lease);
      if (lane !== null)
        memory.data.lanes.set(lane.endpoint, {
          ...lane,
          lease: { holder: lease.owner, until: now + leaseMs, ms: leaseMs },
        });
      return lane !== null;
    },
    begin: async (lease, id, attempt, lines) => {
      const turn = turnOfLease(memory, lease, id);
      const next = turn === null ? null : begun(turn, attempt, laneRow(memory, lease.lane).hold);
      if (turn === null || next === null) return false;
      memory.data.turns.set(id, { ...turn, ...next });
      appendLines(memory.data, lines);
      return true;
    },
    settle: async (lease, id, end) => {
      const turn = turnOfLease(memory, lease, id);
      const next = turn === null ? null : settled(turn, end);
      if (turn === null || next === null) return false;
      const after = end.fold(loadItem(memory, turn.workItem));
      memory.data.turns.set(id, { ...turn, ...next });
      saveItem(memory, turn.workItem, after);
      appendEffects(memory, turn.workItem, turn.inputs[0]?.deliveryId ?? "", end.effects);
      appendLines(memory.data, end.lines);
      free(memory, lease.lane);
      return true;
    },
    orphans: async (request) => (isPresentLife(memory) ? orphans(memory, request) : []),
    release: async (lease) => {
      if (heldBy(memory, lease) !== null) free(memory, lease.lane);
    },
    turns: async ({ beforeId = Infinity, lane, workItem, states, limit }) =>
      [...open(memory).turns.values()]
        .filter(
          (turn) =>
            turn.id < beforeId &&
            (lane === undefined || turn.lane === lane) &&
            (workItem === undefined || turn.workItem === workItem) &&
            (states === undefined || states.includes(turn.state)),
        )
        .slice(-limit),
    turn: async (id) => open(memory).turns.get(id) ?? null,
    resolve: async (id, how, note, lines) => {
      const turn = open(memory).turns.get(id);
      const next = turn === undefined ? null : resolved(turn, how, note);
      if (turn === undefined || next === null) return false;
      memory.data.turns.set(id, { ...turn, ...next });
      const lane = laneRow(memory, turn.lane);
      const uncertainLeft = standing(memory, turn.lane).some((each) => each.state === "uncertain");
      memory.data.lanes.set(turn.lane, {
        ...lane,
        hold: holdAfterResolve(lane.hold, turn.state, uncertainLeft),
      });
      appendLines(memory.data, lines);
      return true;
    },
  };
}

function take(
  memory: Memory,
  {
    owner,
    now,
    leaseMs,
    merge,
  }: {
    readonly owner: string;
    readonly now: number;
    readonly leaseMs: number;
    readonly merge: MergeTurns;
  },
): TakenLane | null {
  const { taken } = chooseLane(sourceOf(memory, now), now, merge);
  if (taken === null) return null;
  const head: Turn = { ...taken.head, inputs: mergedInputs([taken.head, ...taken.merge]) };
  for (const folded of taken.merge) memory.data.turns.delete(folded.id);
  memory.data.turns.set(head.id, head);
  return {
    lease: give(memory, { ...taken.lane, hold: null }, owner, now, leaseMs),
    turn: head,
    item: loadItem(memory, head.workItem),
  };
}

function orphans(
  memory: Memory,
  {
    owner,
    now,
    leaseMs,
  }: { readonly owner: string; readonly now: number; readonly leaseMs: number },
): readonly TakenLane[] {
  const found: TakenLane[] = [];
  for (const lane of [...open(memory).lanes.values()]) {
    const earlierLife =
      lane.lease?.holder === owner && memory.given.get(lane.endpoint) !== lane.fence;
    if (lane.instance !== memory.instance || (leaseLasts(lane.lease, now) && !earlierLife))
      continue;
    const turn = standing(memory, lane.endpoint).find((each) => each.state === "injecting");
    if (turn !== undefined)
      found.push({
        lease: give(memory, lane, owner, now, leaseMs),
        turn,
        item: loadItem(memory, turn.workItem),
      });
    else if (earlierLife) free(memory, lane.endpoint);
  }
  return found;
}

/** Gives the lane away under a new fence. */
function give(memory: Memory, lane: LaneRow, owner: string, now: number, leaseMs: number): Lease {
  const fence = lane.fence + 1;
  memory.data.lanes.set(lane.endpoint, {
    ...lane,
    fence,
    lease: { holder: owner, until: now + leaseMs, ms: leaseMs },
  });
  memory.given.set(lane.endpoint, fence);
  return { lane: lane.endpoint, owner, fence };
}

function free(memory: Memory, endpoint: RefText): void {
  memory.data.lanes.set(endpoint, { ...laneRow(memory, endpoint), lease: null });
  memory.given.delete(endpoint);
}

/**
 * The lane, when the lease still holds it; null, counted as a late write, when its fence is an old
 * one.
 */
function heldBy(memory: Memory, lease: Lease): LaneRow | null {
  const lane = open(memory).lanes.get(lease.lane);
  if (lane !== undefined && lane.fence === lease.fence && lane.lease?.holder === lease.owner)
    return lane;
  memory.lateWrites += 1;
  return null;
}

function turnOfLease(memory: Memory, lease: Lease, id: number): Turn | null {
  const turn = heldBy(memory, lease) === null ? undefined : memory.data.turns.get(id);
  return turn?.lane === lease.lane ? turn : null;
}

function laneRow(memory: Memory, endpoint: RefText): LaneRow {
  const lane = memory.data.lanes.get(endpoint);
  if (lane === undefined) throw new Error(`no lane ${endpoint}`);
  return lane;
}

function sourceOf(memory: Memory, now: number): LaneSource {
  const data = open(memory);
  const workdirOf = (lane: LaneRow): string | null =>
    data.items.get(lane.workItem)?.sessions.find((each) => each.endpoint === lane.endpoint)
      ?.workdir ?? null;
  const atWork = (lane: LaneRow): boolean =>
    leaseLasts(lane.lease, now) ||
    standing(memory, lane.endpoint).some((turn) => turn.state === "injecting");
  return {
    candidates: () =>
      [...data.lanes.values()]
        .filter((lane) => lane.instance === memory.instance)
        .flatMap((lane): (Candidate & { readonly head: number })[] => {
          const head = standing(memory, lane.endpoint)[0];
          return head?.state === "ready"
            ? [{ lane, head: head.id, notBefore: head.notBefore, workdir: workdirOf(lane) }]
            : [];
        })
        .toSorted((one, other) => one.head - other.head),
    waiting: (endpoint) => {
      const turns = standing(memory, endpoint);
      const end = turns.findIndex((turn) => turn.state !== "ready");
      return turns.slice(0, end === -1 ? maxShownTurns : Math.min(end, maxShownTurns));
    },
    busyWorkdirs: () =>
      new Set([...data.lanes.values()].filter(atWork).flatMap((lane) => workdirOf(lane) ?? [])),
  };
}

/** Numbers of lanes that wait and that are at work. */
export function laneCounts(memory: Memory): { readonly held: number; readonly leased: number } {
  const now = memory.now();
  const mine = [...open(memory).lanes.values()].filter((lane) => lane.instance === memory.instance);
  return {
    held: mine.filter((lane) => holdLasts(lane.hold, now)).length,
    leased: mine.filter((lane) => leaseLasts(lane.lease, now)).length,
  };
}
