import type { Lanes, Lease, MergeTurns, RefText, TakenLane, Turn } from "@loopwork/core/ports";
import { chooseLane, type LaneRow, leaseLasts } from "../model/lane.ts";
import { begun, holdAfterResolve, mergedInputs, resolved, settled } from "../model/turn.ts";
import { appendLines } from "./events.ts";
import { isPresentLife } from "./present-life.ts";
import { loadItem, saveItem } from "./items.ts";
import { findLane, freeLane, laneSource, lanesAtWork, setHold, writeLease } from "./lane-rows.ts";
import { appendEffects } from "./outbox.ts";
import type { Sqlite } from "./store.ts";
import { foldTurns, listTurns, readTurn, saveProgress, standing } from "./turns.ts";

type Request = { readonly owner: string; readonly now: number; readonly leaseMs: number };

export function createSqliteLanes(sqlite: Sqlite): Lanes {
  const { db } = sqlite;
  return {
    take: (request) => db.durably(() => (isPresentLife(sqlite) ? take(sqlite, request) : null)),
    wakeAt: async (now, merge) =>
      db.read(() => chooseLane(laneSource(sqlite, now), now, merge).wakeAt),
    renew: (lease, now, leaseMs) =>
      db.durably(() => {
        const lane = heldBy(sqlite, lease);
        if (lane !== null)
          writeLease(db, lease, { holder: lease.owner, until: now + leaseMs, ms: leaseMs });
        return lane !== null;
      }),
    begin: (lease, id, attempt, lines) =>
      db.durably(() => {
        const turn = turnOfLease(sqlite, lease, id);
        const next =
          turn === null ? null : begun(turn, attempt, findLane(db, lease.lane)?.hold ?? null);
        if (next === null) return false;
        saveProgress(db, id, next);
        appendLines(db, lines);
        return true;
      }),
    settle: (lease, id, end) =>
      db.durably(() => {
        const turn = turnOfLease(sqlite, lease, id);
        const next = turn === null ? null : settled(turn, end);
        if (turn === null || next === null) return false;
        saveProgress(db, id, next);
        const before = loadItem(db, turn.workItem);
        saveItem(sqlite, turn.workItem, before, end.fold(before));
        appendEffects(sqlite, turn.workItem, turn.inputs[0]?.deliveryId ?? "", end.effects);
        appendLines(db, end.lines);
        free(sqlite, lease.lane);
        return true;
      }),
    orphans: (request) => db.durably(() => (isPresentLife(sqlite) ? orphans(sqlite, request) : [])),
    release: (lease) =>
      db.durably(() => {
        if (heldBy(sqlite, lease) !== null) free(sqlite, lease.lane);
      }),
    turns: async (query) => db.read(() => listTurns(db, query)),
    turn: async (id) => db.read(() => readTurn(db, id)),
    resolve: (id, how, note, lines) =>
      db.durably(() => {
        const turn = readTurn(db, id);
        const next = turn === null ? null : resolved(turn, how, note);
        if (turn === null || next === null) return false;
        saveProgress(db, id, next);
        const uncertainLeft =
          db.get(
            `select 1 from turn where lane = ? and ${standing} and state = 'uncertain'`,
            turn.lane,
          ) !== null;
        setHold(
          db,
          turn.lane,
          holdAfterResolve(findLane(db, turn.lane)?.hold ?? null, turn.state, uncertainLeft),
        );
        appendLines(db, lines);
        return true;
      }),
  };
}

function take(sqlite: Sqlite, request: Request & { readonly merge: MergeTurns }): TakenLane | null {
  const { db } = sqlite;
  const { taken } = chooseLane(laneSource(sqlite, request.now), request.now, request.merge);
  if (taken === null) return null;
  const { lane, head, merge } = taken;
  if (lane.hold !== null) setHold(db, lane.endpoint, null);
  foldTurns(
    db,
    head.id,
    merge.map((turn) => turn.id),
  );
  const turn: Turn = { ...head, inputs: mergedInputs([head, ...merge]) };
  return { lease: give(sqlite, lane, request), turn, item: loadItem(db, turn.workItem) };
}

function orphans(sqlite: Sqlite, request: Request): readonly TakenLane[] {
  const { db, given } = sqlite;
  const found: TakenLane[] = [];
  for (const { lane, injecting } of lanesAtWork(sqlite)) {
    const earlierLife =
      lane.lease?.holder === request.owner && given.get(lane.endpoint) !== lane.fence;
    if (leaseLasts(lane.lease, request.now) && !earlierLife) continue;
    const turn = injecting === null ? null : readTurn(db, injecting);
    if (turn !== null)
      found.push({ lease: give(sqlite, lane, request), turn, item: loadItem(db, turn.workItem) });
    else if (earlierLife) free(sqlite, lane.endpoint);
  }
  return found;
}

/** Gives the lane away under a new fence. */
function give({ db, given }: Sqlite, lane: LaneRow, { owner, now, leaseMs }: Request): Lease {
  const lease: Lease = { lane: lane.endpoint, owner, fence: lane.fence + 1 };
  writeLease(db, lease, { holder: owner, until: now + leaseMs, ms: leaseMs });
  given.set(lease.lane, lease.fence);
  return lease;
}

function free({ db, given }: Sqlite, endpoint: RefText): void {
  freeLane(db, endpoint);
  given.delete(endpoint);
}

/**
 * The lane, when the lease still holds it; null, counted as a late write, when its fence is an old
 * one.
 */
function heldBy(sqlite: Sqlite, lease: Lease): LaneRow | null {
  const lane = findLane(sqlite.db, lease.lane);
  if (lane !== null && lane.fence === lease.fence && lane.lease?.holder === lease.owner)
    return lane;
  sqlite.counts.lateWrites += 1;
  return null;
}

function turnOfLease(sqlite: Sqlite, lease: Lease, id: number): Turn | null {
  const turn = heldBy(sqlite, lease) === null ? null : readTurn(sqlite.db, id);
  return turn?.lane === lease.lane ? turn : null;
}
