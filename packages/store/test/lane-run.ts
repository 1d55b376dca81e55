import type { Lease, Store, TakenLane } from "@loopwork/core/ports";
import { begin, endOf, queueTurn, refText, sessionOf, setItem } from "../src/contract/build.ts";
import type { OpenHandle } from "../src/contract/index.ts";

/**
 * One step of a random run. `who` picks one of the workers, each a process with a handle of its
 * own. `crash` forgets what the worker holds and opens anew; `stall` keeps it holding while time
 * passes, as a stopped process does.
 */
export type Step =
  | { readonly kind: "append"; readonly lane: number }
  | { readonly kind: "take"; readonly who: number; readonly merge: boolean }
  | { readonly kind: "settle"; readonly who: number; readonly end: "done" | "ready" | "failed" }
  | { readonly kind: "renew"; readonly who: number }
  | { readonly kind: "crash"; readonly who: number }
  | { readonly kind: "recover"; readonly who: number }
  | { readonly kind: "wait"; readonly ms: number };

export const laneCount = 4;
const workerCount = 3;
const leaseMs = 100;

type Worker = { store: Store; readonly owner: string; held: TakenLane[] };

/**
 * Runs the steps, then drains; what is wrong with the outcome, null when nothing is. `wrap` may
 * turn a guard off.
 */
export async function runLanes(
  open: OpenHandle,
  steps: readonly Step[],
  wrap: (store: Store) => Store = (store) => store,
): Promise<string | null> {
  const workers: Worker[] = [];
  for (let n = 0; n < workerCount; n += 1)
    workers.push({ store: wrap(await open()), owner: `w-${n}`, held: [] });
  const log = createLog();
  let now = 1_000;
  const setUp = await open();
  // Lanes 1 and 2 work in one directory.
  for (const item of [1, 2])
    await setItem(setUp, item, { sessions: [sessionOf(item, { workdir: "/shared" })] });

  for (const step of [...steps, ...drain()]) {
    if (step.kind === "append") await queueTurn(setUp, log.append(step.lane), step.lane);
    if (step.kind === "wait") now += step.ms;
    const worker = "who" in step ? workers[step.who % workerCount] : undefined;
    if (worker !== undefined) await act(worker, step);
    const overlap = await overlaps(setUp, now);
    if (overlap !== null) return overlap;
  }
  return log.verdict();

  async function act(worker: Worker, step: Step): Promise<void> {
    const { lanes } = worker.store;
    if (step.kind === "take") {
      const lane = await lanes.take({
        owner: worker.owner,
        now,
        leaseMs,
        merge: (waiting) => ({
          kind: "go",
          merge: step.merge ? waiting.slice(1, 3).map((turn) => turn.id) : [],
        }),
      });
      if (lane !== null && (await begin(worker.store, lane, `${lane.lease.fence}`, now)))
        worker.held.push(lane);
    }
    if (step.kind === "recover")
      worker.held.push(...(await lanes.orphans({ owner: worker.owner, now, leaseMs })));
    if (step.kind === "renew")
      for (const lane of worker.held) await lanes.renew(lane.lease, now, leaseMs);
    if (step.kind === "settle") {
      const lane = worker.held.shift();
      if (
        lane !== undefined &&
        (await lanes.settle(lane.lease, lane.turn.id, endOf({ state: step.end })))
      )
        log.ended(lane, step.end);
    }
    if (step.kind === "crash") {
      worker.held = [];
      worker.store = wrap(await open());
    }
  }
}

/** Enough takings and endings to empty every lane, whatever the steps before left. */
function drain(): readonly Step[] {
  const rounds = Array.from({ length: 80 }, (_, n): readonly Step[] => [
    { kind: "wait", ms: n === 0 ? 1_000 : 1 },
    { kind: "recover", who: 0 },
    { kind: "take", who: 0, merge: false },
    { kind: "settle", who: 0, end: "done" },
  ]);
  return [
    { kind: "crash", who: 0 },
    { kind: "crash", who: 1 },
    { kind: "crash", who: 2 },
    ...rounds.flat(),
  ];
}

/** What was appended and what ended, a lane each. */
function createLog(): {
  append(lane: number): string;
  ended(lane: TakenLane, end: string): void;
  verdict(): string | null;
} {
  const appended = new Map<string, string[]>();
  const ended = new Map<string, string[]>();
  let count = 0;
  return {
    append: (lane) => {
      const id = `d-${(count += 1)}`;
      appended.set(refText(lane), [...(appended.get(refText(lane)) ?? []), id]);
      return id;
    },
    ended: ({ lease, turn }, end) => {
      if (end !== "ready")
        ended.set(lease.lane, [
          ...(ended.get(lease.lane) ?? []),
          ...turn.inputs.map((input) => input.deliveryId),
        ]);
    },
    verdict: () => {
      for (const [lane, ids] of appended) {
        const got = ended.get(lane) ?? [];
        if (got.join(" ") !== ids.join(" "))
          return `${lane}: appended ${ids.join(" ")}, ended ${got.join(" ")}`;
      }
      return null;
    },
  };
}

/** Two turns under way on a lane, or two lanes at work in one directory. */
async function overlaps(store: Store, now: number): Promise<string | null> {
  const underWay = await store.lanes.turns({ states: ["injecting"], limit: 100 });
  const lanes = underWay.map((turn) => turn.lane);
  if (new Set(lanes).size < lanes.length)
    return `at ${now} two turns of a lane are under way: ${lanes.join(" ")}`;
  if (lanes.includes(refText(1)) && lanes.includes(refText(2)))
    return `at ${now} two lanes work in one directory`;
  return null;
}

/** The guard off: writes go through under whatever fence the lane has now. */
export function withoutFence(): (store: Store) => Store {
  const newest = new Map<string, Lease>();
  const noted = (lane: TakenLane | null): TakenLane | null => {
    if (lane !== null) newest.set(lane.lease.lane, lane.lease);
    return lane;
  };
  const current = (lease: Lease): Lease => newest.get(lease.lane) ?? lease;
  return (store) => ({
    ...store,
    lanes: {
      ...store.lanes,
      take: async (request) => noted(await store.lanes.take(request)),
      orphans: async (request) => {
        const found = await store.lanes.orphans(request);
        found.forEach(noted);
        return found;
      },
      begin: (lease, turn, attempt, lines) =>
        store.lanes.begin(current(lease), turn, attempt, lines),
      // Without the fence a settled turn counts as ended whoever says so, even when it had ended
      // before.
      settle: async (lease, turn, end) => (
        await store.lanes.settle(current(lease), turn, end),
        true
      ),
    },
  });
}

/** The guard off: a lane is free for everybody all the time. */
export function withoutLease(store: Store): Store {
  return {
    ...store,
    lanes: {
      ...store.lanes,
      take: async (request) =>
        (await store.lanes.take(request)) ??
        (await store.lanes.orphans({ ...request, now: request.now + 1_000_000 })).at(0) ??
        null,
    },
  };
}
