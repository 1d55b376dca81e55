import { randomUUID } from "node:crypto";
import { existsSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Attempt, Settled, Store, TakenLane, Turn } from "@loopwork/core/ports";
import { isAlive } from "@loopwork-tooling/postgres";
import { appendRow, rowsOfLane } from "./transcript.ts";

/**
 * What the process that runs turns shares among them. `stopNext`: the next turn stops the whole
 * process just before it is begun.
 */
export type Bench = {
  readonly store: Store;
  readonly dir: string;
  readonly leaseMs: number;
  /** Receipts of the turns that run now. */ readonly inHand: Set<string>;
  stopNext: boolean;
  late: number;
};

/**
 * A word that is slow marks its lane with this file: work on it lasts long enough to be met in its
 * midst.
 */
export const slowMark = (dir: string, lane: string): string =>
  join(dir, `slow-${lane.replaceAll(/[^A-Za-z0-9]/g, "-")}`);

/** One line to whoever started this process; written at once, so that it is out before a stop. */
export function tell(what: object): void {
  writeSync(1, `${JSON.stringify(what)}\n`);
}

/**
 * Runs the head of a lane: begin, say the words, work, settle, in the order in which the service
 * does it.
 */
export async function runTurn({ lease, turn }: TakenLane, bench: Bench): Promise<void> {
  const { store, dir } = bench;
  const keep = keepLease({ lease, turn }, bench);
  const wasStopped = bench.stopNext;
  const receipt =
    turn.next === "again" && turn.attempt !== null ? turn.attempt.receipt : randomUUID();
  bench.inHand.add(receipt);
  try {
    if (wasStopped) {
      bench.stopNext = false;
      tell({ kind: "stopping", lane: lease.lane, words: wordsOf(turn) });
      process.kill(process.pid, "SIGSTOP");
    }
    const attempt: Attempt = {
      receipt,
      kind: turn.next,
      harnessSessionId: "fleet",
      startedAt: Date.now(),
      child: { pid: process.pid, startTime: "" },
    };
    // The same attempt again only says it again, so that a server that went away meanwhile can be
    // asked until it answers.
    if (!(await untilAnswered(() => store.lanes.begin(lease, turn.id, attempt, [])))) return;
    if (wasStopped) bench.late += 1;
    appendRow(dir, lease.lane, {
      kind: "asked",
      receipt: attempt.receipt,
      text: wordsOf(turn),
      continues: attempt.kind === "continue",
      pid: process.pid,
    });
    await sleep(existsSync(slowMark(dir, lease.lane)) ? 1_500 : 10 + Math.random() * 40);
    appendRow(dir, lease.lane, {
      kind: "ended",
      receipt: attempt.receipt,
      text: "",
      continues: false,
      pid: process.pid,
    });
    await untilAnswered(() => store.lanes.settle(lease, turn.id, endOf("done", "first")));
  } finally {
    bench.inHand.delete(receipt);
    clearInterval(keep);
  }
}

/**
 * What became of an attempt whose lease ran out: who makes it is waited for while it lives, then
 * its traces are looked at.
 */
export async function recoverTurn(
  { lease, turn }: TakenLane,
  { store, dir, leaseMs, inHand }: Bench,
): Promise<void> {
  const keep = keepLease({ lease, turn }, { store, leaseMs });
  try {
    const { receipt = "", child } = turn.attempt ?? {};
    const has = (kind: "asked" | "ended"): boolean =>
      rowsOfLane(dir, lease.lane).some((row) => row.kind === kind && row.receipt === receipt);
    const isMade = (): boolean =>
      child?.pid === process.pid ? inHand.has(receipt) : child != null && isAlive(child.pid);
    while (!has("ended") && isMade()) await sleep(20);
    const end = has("ended")
      ? endOf("done", "first")
      : endOf("ready", has("asked") ? "continue" : "again");
    await untilAnswered(() => store.lanes.settle(lease, turn.id, end));
  } finally {
    clearInterval(keep);
  }
}

function keepLease(
  { lease }: Pick<TakenLane, "lease" | "turn">,
  { store, leaseMs }: Pick<Bench, "store" | "leaseMs">,
): NodeJS.Timeout {
  return setInterval(
    () => void store.lanes.renew(lease, Date.now(), leaseMs).catch(() => false),
    leaseMs / 3,
  );
}

async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch {
      await sleep(50);
    }
  }
}

function wordsOf(turn: Turn): string {
  return turn.inputs
    .map(({ event }) => (event.kind === "comment" ? event.comment.body : event.event))
    .join("\n");
}

function endOf(state: Settled["state"], next: Settled["next"]): Settled {
  return { state, note: null, next, notBefore: 0, fold: (item) => item, effects: [], lines: [] };
}
