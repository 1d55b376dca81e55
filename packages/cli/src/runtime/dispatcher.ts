import { mergeTurns } from "@loopwork/core";
import type { HeldLock } from "@loopwork/core/ports";
import { createEffects, createOneByOne } from "./effects.ts";
import { eventLine } from "./event-line.ts";
import type { OutboxHandlers } from "./handlers/index.ts";
import type { TurnHandler } from "./handlers/turn.ts";
import type { Ingest } from "./ingest.ts";
import type { RuntimeParts } from "./parts.ts";
import type { LivingTurns } from "./turn/living.ts";

/** What `status` shows of a dispatcher; times are milliseconds since 1970. */
export type DispatcherProgress = { readonly phase: DispatcherPhase; readonly running: number; readonly lastProgressAt: number };

/**
 * The phases of a dispatcher:
 *
 *     waiting ──lock taken──▶ recovering ──▶ running ──stop──▶ draining ──▶ stopped
 *        └──────────────────────stop──────────────────────────────────────────┘
 *
 * waiting: another process of this instance dispatches; look again every 2 s (decisions.md 6). recovering: attempts of
 * an earlier life are judged before any lane is taken. running: decide what is stored, run lanes, carry out effects.
 * draining: nothing new is begun; turns that run get `graceMs`, then their children stay behind alive and are waited
 * for by the next life.
 */
export type DispatcherPhase = "waiting" | "recovering" | "running" | "draining" | "stopped";

export type Dispatcher = {
  /** Something may have to be done: look now. */
  poke(): void;
  progress(): DispatcherProgress;
  /** Settles once everything that is stored has been decided and carried out, for `--once`. False when another process dispatches. */
  drain(): Promise<boolean>;
  stop(graceMs: number): Promise<void>;
};

const lockRetryMs = 2_000;
const idleLookMs = 2_000;
const leaseMs = 30_000;

export function createDispatcher(parts: RuntimeParts, ingest: Ingest, turns: TurnHandler, outbox: OutboxHandlers, living: LivingTurns): Dispatcher {
  let phase: DispatcherPhase = "waiting";
  let lastProgressAt = parts.clock.now();
  let wake: () => void = () => {};
  let poked = false;
  /** From when on turns without a living owner are to be looked for, in milliseconds since 1970; null when there can be none. */
  let orphansAt: number | null = 0;
  const running = new Set<Promise<void>>();
  const owner = parts.settings().policy.instance.name;

  const poke = (): void => {
    poked = true;
    wake();
  };
  // A release stands between decisions: a reopening that came in the midst of it would be told its checkout stays.
  const apart = createOneByOne();
  const handlers: OutboxHandlers = { ...outbox, release: (effect, entry) => apart(() => outbox.release(effect, entry)) };
  const effects = createEffects(parts, handlers, {
    goOn: () => !askedToStop(),
    onWork(carriedOut) {
      if (carriedOut > 0) lastProgressAt = parts.clock.now();
      poke();
    },
  });
  const track = (work: Promise<void>): void => {
    const tracked = work
      .catch((error: unknown) => {
        parts.log("error", `a turn ended unexpectedly: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
        orphansAt = parts.clock.now() + leaseMs; // It may stand half-way; it is taken up once its lease has run out.
      })
      .finally(() => {
        running.delete(tracked);
        lastProgressAt = parts.clock.now();
        poke();
      });
    running.add(tracked);
  };

  /** A stop may come at any await; asked as a function because the compiler believes the last assignment that it sees. */
  function askedToStop(): boolean {
    return phase === "draining" || phase === "stopped";
  }

  async function loop(): Promise<void> {
    const lock = await takeLock();
    if (lock === null) return;
    try {
      if (askedToStop()) return;
      phase = "recovering";
      await guarded("recovering", recoverOrphans);
      if (askedToStop()) return;
      phase = "running";
      while (!askedToStop()) await pass();
    } finally {
      await effects.idle();
      await lock.release();
      phase = "stopped";
    }
  }

  async function takeLock(): Promise<HeldLock | null> {
    while (phase === "waiting") {
      const lock = await parts.locks.acquire(`dispatcher-${owner}`);
      if (lock !== null) return lock;
      await rest(lockRetryMs);
    }
    phase = "stopped";
    return null;
  }

  /** One look at everything; a part that fails is logged and looked at again, the others go on. */
  async function pass(): Promise<void> {
    poked = false;
    const decided = await guarded("deciding", () => apart(() => ingest.drain()));
    effects.look();
    const acted = [decided, await guarded("recovering", recoverOrphans), await guarded("lanes", () => apart(takeLanes))];
    if (acted.some((count) => count > 0)) lastProgressAt = parts.clock.now();
    else if (!poked && phase === "running") await rest(await untilNextWork());
  }

  /** Attempts of an earlier life, and of turns of this life on which our own code or the store failed. */
  async function recoverOrphans(): Promise<number> {
    if (orphansAt === null || parts.clock.now() < orphansAt) return 0;
    const orphans = await parts.store.lanes.orphans({ owner, now: parts.clock.now(), leaseMs });
    orphansAt = null;
    for (const taken of orphans) track(turns.recover(taken));
    return orphans.length;
  }

  async function takeLanes(): Promise<number> {
    const { maxConcurrentTurns } = parts.settings().dispatch;
    let taken = 0;
    while (running.size < maxConcurrentTurns && phase === "running") {
      const lane = await parts.store.lanes.take({ owner, now: parts.clock.now(), leaseMs, merge: mergeTurns(parts.settings().dispatch.coalesce) });
      if (lane === null) break;
      taken++;
      track(turns.run(lane));
    }
    return taken;
  }

  async function untilNextWork(): Promise<number> {
    // While every place is taken, what is ready waits for a turn to end, and that end wakes us.
    const full = running.size >= parts.settings().dispatch.maxConcurrentTurns;
    const lanes = full ? null : await parts.store.lanes.wakeAt(parts.clock.now(), mergeTurns(parts.settings().dispatch.coalesce)).catch(() => null);
    return Math.max(5, Math.min(idleLookMs, Math.min(lanes ?? Infinity, ingest.wakesAt() ?? Infinity) - parts.clock.now()));
  }

  async function guarded(what: string, work: () => Promise<number>): Promise<number> {
    try {
      return await work();
    } catch (error) {
      parts.log("error", `${what} failed: ${error instanceof Error ? error.message : String(error)}`);
      await rest(idleLookMs / 2);
      return 0;
    }
  }

  function rest(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const callOff = parts.timers.after(ms, resolve);
      wake = () => {
        callOff();
        resolve();
      };
    });
  }

  async function drain(): Promise<boolean> {
    for (;;) {
      if (phase === "waiting" || phase === "stopped") return false;
      const { undecided, turns: counted, pendingEffects } = await parts.store.stats();
      if (phase === "running" && undecided === 0 && pendingEffects === 0 && !effects.busy() && running.size === 0 && counted.injecting === 0 && (await nothingReady())) return true;
      await new Promise<void>((resolve) => parts.timers.after(50, resolve));
    }
  }

  /** Ready turns on lanes that are held wait for somebody; a drain does not wait for them. */
  async function nothingReady(): Promise<boolean> {
    return (await parts.store.lanes.wakeAt(parts.clock.now(), mergeTurns(parts.settings().dispatch.coalesce))) === null;
  }

  const looping = loop();
  void parts.store.events.append([eventLine(parts, "daemon.started", { fields: { part: "dispatcher" } })]).catch(() => {});

  return {
    poke,
    drain,
    progress: () => ({ phase, running: running.size, lastProgressAt }),
    async stop(graceMs) {
      if (phase === "running" || phase === "recovering") phase = "draining";
      else if (phase === "waiting") phase = "stopped";
      wake();
      let callOff = (): void => {};
      await Promise.race([Promise.all(running), new Promise<void>((resolve) => (callOff = parts.timers.after(graceMs, resolve)))]);
      callOff();
      for (const { endpoint } of living.all()) parts.log("info", `the turn of ${endpoint} goes on without us and is waited for at the next start`);
      wake();
      await looping;
    },
  };
}
