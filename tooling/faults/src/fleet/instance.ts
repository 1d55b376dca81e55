import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { openPostgresStore } from "@loopwork/store-postgres";
import { decideNext, fleetPolicy } from "./decide.ts";
import { isFleetGuard, withoutFleetGuard } from "./without.ts";
import { type Bench, recoverTurn, runTurn, tell } from "./worker.ts";

/**
 * One instance of a fleet: `instance.js NAME DIR LEASE_MS ROOM [GUARD]`, with the store's URL in
 * STORE_URL. It decides with the product's own pure functions and keeps the product's own store;
 * only the agent is a small one in this very process, so that thousands of turns fit a machine. On
 * standard input: `stop`, which stops it in the midst of its next turn. It ends with its standard
 * input.
 */
const [name = "", dir = "", lease = "1000", room = "0", guard = ""] = process.argv.slice(2);
const url = process.env["STORE_URL"] ?? "";
const policy = fleetPolicy(name);
const opened = await untilOpen();
const bench: Bench = {
  store: await withoutFleetGuard(isFleetGuard(guard) ? guard : null, opened, url),
  dir,
  leaseMs: Number(lease),
  inHand: new Set(),
  stopNext: false,
  late: 0,
};
const { store } = bench;
const running = new Set<Promise<void>>();
let [orphansAt, isPoked] = [0, false];

createInterface({ input: process.stdin })
  .on("line", (line) => void (bench.stopNext ||= line === "stop"))
  .on("close", () => process.exit(0));
store.listen(() => void (isPoked = true));
setInterval(() => void beat().catch(() => {}), 300);
for (let entered = false; !entered;)
  entered = await enter().catch(() => sleep(100).then(() => false));
tell({ kind: "up" });

for (;;) {
  isPoked = false;
  const busy = await lookOnce().catch(() => sleep(100).then(() => 0));
  for (let n = 0; busy === 0 && !isPoked && n < 10; n += 1) await sleep(5);
}

async function lookOnce(): Promise<number> {
  const decided = await decideNext(store, policy);
  if (Number(room) === 0) return decided;
  const now = Date.now();
  if (now >= orphansAt) {
    for (const taken of await store.lanes.orphans({ owner: name, now, leaseMs: bench.leaseMs }))
      track(recoverTurn(taken, bench));
    orphansAt = now + bench.leaseMs;
  }
  let taken = 0;
  while (running.size < Number(room)) {
    const lane = await store.lanes.take({
      owner: name,
      now: Date.now(),
      leaseMs: bench.leaseMs,
      merge: () => ({ kind: "go", merge: [] }),
    });
    if (lane === null) break;
    taken += 1;
    track(runTurn(lane, bench));
  }
  return decided + taken;
}

function track(work: Promise<void>): void {
  const tracked = work.catch(() => {}).finally(() => running.delete(tracked));
  running.add(tracked);
}

async function beat(): Promise<void> {
  tell({ kind: "late", refused: (await store.stats()).lateWrites, taken: bench.late });
  await store.instances.beat({ mode: "open", workItems: [] });
}

async function enter(): Promise<true> {
  await store.instances.enter({
    incarnation: randomUUID(),
    machine: hostname(),
    scope: { mode: "open", workItems: [] },
  });
  return true;
}

async function untilOpen(): Promise<Awaited<ReturnType<typeof openPostgresStore>>> {
  for (;;) {
    try {
      return await openPostgresStore(url, { instance: name, now: Date.now });
    } catch {
      await sleep(100);
    }
  }
}
