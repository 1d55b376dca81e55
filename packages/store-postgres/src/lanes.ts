import type { Lanes, Lease, MergeTurns, RefText, TakenLane, Turn } from "@loopwork/core/ports";
import {
  begun,
  type Choice,
  choosingLane,
  holdAfterResolve,
  type LaneRow,
  leaseLasts,
  mergedInputs,
  resolved,
  settled,
} from "@loopwork/store/driver";
import { Overtaken, type Tx } from "./database.ts";
import { appendLines } from "./events.ts";
import { isPresentLife } from "./present-life.ts";
import { loadItem, saveItem } from "./items.ts";
import {
  busyWorkdirs,
  candidateLanes,
  freeLane,
  lanesAtWork,
  lockLane,
  setHold,
  writeLease,
} from "./lane-rows.ts";
import { lockInstance, lockItem } from "./locks.ts";
import { appendEffects } from "./outbox.ts";
import type { Postgres } from "./store.ts";
import { foldTurns, readTurn, saveProgress, standing, listTurns, waitingTurns } from "./turns.ts";

type Request = { readonly owner: string; readonly now: number; readonly leaseMs: number };

export function createPostgresLanes(postgres: Postgres): Lanes {
  const { db, instance, given } = postgres;
  return {
    take: async (request) => {
      const taken = await db.write((tx) => take(tx, postgres, request));
      if (taken !== null) given.set(taken.lease.lane, taken.lease.fence);
      return taken;
    },
    wakeAt: (now, merge) => db.read(async (tx) => (await choose(tx, instance, now, merge)).wakeAt),
    renew: (lease, now, leaseMs) =>
      underLease(postgres, lease, now, false, async (tx) => {
        await writeLease(tx, lease, leaseMs);
        return true;
      }),
    begin: (lease, id, attempt, lines) =>
      underLease(postgres, lease, attempt.startedAt, false, async (tx, lane) => {
        const turn = await turnOf(tx, lease, id);
        const next = turn === null ? null : begun(turn, attempt, lane.hold);
        if (next === null) return false;
        await saveProgress(tx, id, next);
        await appendLines(tx, lines);
        return true;
      }),
    settle: (lease, id, end) =>
      underLease(postgres, lease, postgres.now(), true, async (tx) => {
        const turn = await turnOf(tx, lease, id);
        const next = turn === null ? null : settled(turn, end);
        if (turn === null || next === null) return false;
        await saveProgress(tx, id, next);
        const before = await loadItem(tx, turn.workItem);
        await saveItem(tx, instance, turn.workItem, before, end.fold(before));
        await appendEffects(
          tx,
          postgres,
          turn.workItem,
          turn.inputs[0]?.deliveryId ?? "",
          end.effects,
        );
        await freeLane(tx, lease.lane);
        await appendLines(tx, end.lines);
        return true;
      }),
    orphans: async (request) => {
      const { found, freed } = await db.write((tx) => orphans(tx, postgres, request));
      for (const endpoint of freed) given.delete(endpoint);
      for (const { lease } of found) given.set(lease.lane, lease.fence);
      return found;
    },
    release: async (lease) => {
      await underLease(postgres, lease, postgres.now(), true, async (tx) => {
        await freeLane(tx, lease.lane);
        return true;
      });
    },
    turns: (query) => db.read((tx) => listTurns(tx, query)),
    turn: (id) => db.read((tx) => readTurn(tx, id)),
    resolve: (id, how, note, lines) =>
      db.write(async (tx) => {
        const lane = await lockLaneOf(tx, id, postgres.now());
        const turn = lane === null ? null : await readTurn(tx, id);
        const next = turn === null ? null : resolved(turn, how, note);
        if (lane === null || turn === null || next === null) return false;
        await saveProgress(tx, id, next);
        const uncertainLeft =
          (await tx.get(
            `select 1 from turn where lane = ? and ${standing} and state = 'uncertain'`,
            turn.lane,
          )) !== null;
        await setHold(tx, turn.lane, holdAfterResolve(lane.hold, turn.state, uncertainLeft));
        await appendLines(tx, lines);
        return true;
      }),
  };
}

/**
 * Chooses with a look at all lanes, then waits for those who are at the chosen work item, and looks
 * again: a lane that changed meanwhile is chosen anew from the beginning.
 */
async function take(
  tx: Tx,
  postgres: Postgres,
  request: Request & { readonly merge: MergeTurns },
): Promise<TakenLane | null> {
  const { now, merge: mergeStep } = request;
  const { instance } = postgres;
  await lockInstance(tx, instance);
  if (!(await isPresentLife(tx, postgres))) return null;
  const seen = (await choose(tx, instance, now, mergeStep)).taken;
  if (seen === null) return null;
  await lockItem(tx, seen.lane.workItem);
  const { taken } = await choose(tx, instance, now, mergeStep);
  if (
    taken === null ||
    taken.lane.endpoint !== seen.lane.endpoint ||
    taken.lane.workItem !== seen.lane.workItem
  )
    throw new Overtaken();

  const { lane, head, merge } = taken;
  if (lane.hold !== null) await setHold(tx, lane.endpoint, null);
  await foldTurns(
    tx,
    head.id,
    merge.map((turn) => turn.id),
  );
  const turn: Turn = { ...head, inputs: mergedInputs([head, ...merge]) };
  return { lease: await give(tx, lane, request), turn, item: await loadItem(tx, turn.workItem) };
}

async function choose(tx: Tx, instance: string, now: number, merge: MergeTurns): Promise<Choice> {
  const choosing = choosingLane(
    await candidateLanes(tx, instance, now),
    await busyWorkdirs(tx, now),
    now,
    merge,
  );
  let step = choosing.next();
  while (step.done !== true) step = choosing.next(await waitingTurns(tx, step.value));
  return step.value;
}

async function orphans(
  tx: Tx,
  postgres: Postgres,
  request: Request,
): Promise<{ readonly found: readonly TakenLane[]; readonly freed: readonly RefText[] }> {
  const { instance, given } = postgres;
  await lockInstance(tx, instance);
  if (!(await isPresentLife(tx, postgres))) return { found: [], freed: [] };
  for (const { lane } of await lanesAtWork(tx, instance, request.now))
    await lockItem(tx, lane.workItem);
  const found: TakenLane[] = [];
  const freed: RefText[] = [];
  for (const { lane, injecting } of await lanesAtWork(tx, instance, request.now)) {
    const earlierLife =
      lane.lease?.holder === request.owner && given.get(lane.endpoint) !== lane.fence;
    if (leaseLasts(lane.lease, request.now) && !earlierLife) continue;
    const turn = injecting === null ? null : await readTurn(tx, injecting);
    if (turn !== null)
      found.push({
        lease: await give(tx, lane, request),
        turn,
        item: await loadItem(tx, turn.workItem),
      });
    else if (earlierLife) {
      await freeLane(tx, lane.endpoint);
      freed.push(lane.endpoint);
    }
  }
  return { found, freed };
}

/** Gives the lane away under a new fence. */
async function give(tx: Tx, lane: LaneRow, { owner, leaseMs }: Request): Promise<Lease> {
  const lease: Lease = { lane: lane.endpoint, owner, fence: lane.fence + 1 };
  await writeLease(tx, lease, leaseMs);
  return lease;
}

/**
 * Runs `work` while the lease holds the lane, with the lane and its work item kept from changing.
 * False, counted as a late write, when the fence is an old one. `ends`: the lease is over when
 * `work` says true.
 */
async function underLease(
  { db, given, counts }: Postgres,
  lease: Lease,
  now: number,
  ends: boolean,
  work: (tx: Tx, lane: LaneRow) => Promise<boolean>,
): Promise<boolean> {
  const outcome = await db.write(async (tx) => {
    const item = await tx.get("select work_item from lane where endpoint = ?", lease.lane);
    if (item !== null) await lockItem(tx, String(item["work_item"]));
    const lane = await lockLane(tx, lease.lane, now);
    if (lane === null || lane.fence !== lease.fence || lane.lease?.holder !== lease.owner)
      return "late";
    if (lane.workItem !== item?.["work_item"]) throw new Overtaken();
    return (await work(tx, lane)) ? "done" : "refused";
  });
  if (outcome === "late") counts.lateWrites += 1;
  if (outcome === "done" && ends) given.delete(lease.lane);
  return outcome === "done";
}

async function turnOf(tx: Tx, lease: Lease, id: number): Promise<Turn | null> {
  const turn = await readTurn(tx, id);
  return turn?.lane === lease.lane ? turn : null;
}

async function lockLaneOf(tx: Tx, turn: number, now: number): Promise<LaneRow | null> {
  const found = await readTurn(tx, turn);
  if (found === null) return null;
  await lockItem(tx, found.workItem);
  return lockLane(tx, found.lane, now);
}
