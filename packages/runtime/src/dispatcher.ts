import type { HeldLock } from "@loopwork/core/ports";
import { createEffects, createOneByOne, type Effects } from "./effects.ts";
import { eventLine } from "./event-line.ts";
import type { OutboxHandlers } from "./handlers/index.ts";
import type { TurnHandler } from "./handlers/turn.ts";
import type { Ingest } from "./ingest.ts";
import type { RuntimeParts } from "./parts.ts";
import { createPresentLife, type PresentLife } from "./present-life.ts";
import { createRest, type Rest } from "./interruptible-wait.ts";
import { createRunningTurns, type RunningTurns } from "./running-turns.ts";
import type { ActiveTurns } from "./active-turns.ts";

/** What `status` shows of a dispatcher; times are milliseconds since 1970. */
export type DispatcherProgress = {
  readonly phase: DispatcherPhase;
  readonly running: number;
  readonly lastProgressAt: number;
};

/**
 * The phases of a dispatcher:
 *
 *     waiting ──lock taken──▶ recovering ──▶ running ──stop──▶ draining ──▶ stopped
 *      │  ▲                         └─────────┴──another process dispatches──┐  ▲
 *      │  └──────────────────────────────────────────────────────────────────┘  │
 *      └────────────────────────stop─────────────────────────────────────────────┘
 *
 * waiting: another process of this instance dispatches; look again every 2 s. recovering: attempts
 * of an earlier life are judged before any lane is taken. running: decide what is stored, run
 * lanes, carry out effects. draining: nothing new is begun; turns that run get `graceMs`, then
 * their children stay behind alive and are waited for by the next life.
 */
export type DispatcherPhase = "waiting" | "recovering" | "running" | "draining" | "stopped";

export type Dispatcher = {
  /** Something may have to be done: look now. */
  poke(): void;
  progress(): DispatcherProgress;
  /**
   * Settles once everything that is stored has been decided and carried out, for `--once`. False
   * when another process dispatches.
   */
  drain(): Promise<boolean>;
  stop(graceMs: number): Promise<void>;
};

const lockRetryMs = 2_000;
const idleLookMs = 2_000;

export function createDispatcher(
  parts: RuntimeParts,
  ingest: Ingest,
  turns: TurnHandler,
  outbox: OutboxHandlers,
  living: ActiveTurns,
  mayBegin: () => boolean = () => true,
): Dispatcher {
  const rest = createRest(parts.timers);
  const life: Life = { phase: "waiting", lastProgressAt: parts.clock.now(), poked: false };
  const progressed = (): void => void (life.lastProgressAt = parts.clock.now());
  const poke = (): void => {
    life.poked = true;
    rest.end();
  };
  const running = createRunningTurns(parts, turns, () => {
    progressed();
    poke();
  });
  // A release stands between decisions: a reopening that came in the midst of it would be told its
  // checkout stays.
  const apart = createOneByOne();
  const handlers: OutboxHandlers = {
    ...outbox,
    release: (effect, entry) => apart(() => outbox.release(effect, entry)),
  };
  const effects = createEffects(parts, handlers, {
    goOn: () => !isOver(life),
    onWork(carriedOut) {
      if (carriedOut > 0) progressed();
      poke();
    },
  });
  const present = createPresentLife(parts, poke);
  const looping = live(life, {
    parts,
    ingest,
    running,
    effects,
    rest,
    apart,
    progressed,
    mayBegin,
    present,
  });
  void parts.store.events
    .append([eventLine(parts, "daemon.started", { fields: { part: "dispatcher" } })])
    .catch(() => {});

  return {
    poke,
    drain: () => drained(life, parts, running, effects),
    progress: () => ({
      phase: life.phase,
      running: running.count(),
      lastProgressAt: life.lastProgressAt,
    }),
    async stop(graceMs) {
      if (life.phase === "running" || life.phase === "recovering") life.phase = "draining";
      else if (life.phase === "waiting") life.phase = "stopped";
      rest.end();
      await endedWithin(graceMs, running, parts);
      // Hooks and critics cannot be waited for by the next life, which lets them run again.
      const judges = living.all().filter((each) => each.judges);
      await Promise.all(judges.map(({ child }) => child.stop("shutdown")));
      if (judges.length > 0) await endedWithin(graceMs, running, parts);
      for (const { endpoint } of living.all())
        parts.log(
          "info",
          `the turn of ${endpoint} goes on without us and is waited for at the next start`,
        );
      rest.end();
      await looping;
    },
  };
}

async function endedWithin(
  ms: number,
  running: RunningTurns,
  { timers }: Pick<RuntimeParts, "timers">,
): Promise<void> {
  let callOff = (): void => {};
  await Promise.race([
    running.ended(),
    new Promise<void>((resolve) => (callOff = timers.after(ms, resolve))),
  ]);
  callOff();
}

/**
 * How far a dispatcher is. `poked`: since the last look began, somebody said that there may be more
 * to do.
 */
type Life = { phase: DispatcherPhase; lastProgressAt: number; poked: boolean };

/**
 * What its loop looks at. `progressed` notes that something was done; until `mayBegin` says so it
 * leaves the lock to others.
 */
type Looked = {
  readonly parts: RuntimeParts;
  readonly ingest: Ingest;
  readonly running: RunningTurns;
  readonly effects: Effects;
  readonly rest: Rest;
  readonly apart: ReturnType<typeof createOneByOne>;
  readonly progressed: () => void;
  readonly mayBegin: () => boolean;
  readonly present: PresentLife;
};

/**
 * A stop may come at any await; asked as a function because the compiler believes the last
 * assignment that it sees.
 */
function isOver({ phase }: Life): boolean {
  return phase === "draining" || phase === "stopped";
}

/** Goes through the phases; settles once the dispatcher has stopped. */
async function live(life: Life, looked: Looked): Promise<void> {
  while (!isOver(life)) {
    const lock = await takeLock(life, looked);
    if (lock === null) return;
    try {
      await dispatch(life, looked);
    } finally {
      await looked.effects.idle();
      await looked.present.end();
      await lock.release();
      life.phase = isOver(life) ? "stopped" : "waiting";
    }
  }
}

/**
 * With the lock, until a stop, or until another process has begun to dispatch: a lock that goes by
 * a connection can be lost.
 */
async function dispatch(life: Life, looked: Looked): Promise<void> {
  const { present, running } = looked;
  let begun = false;
  while (!begun && !isOver(life))
    begun = (await guarded("beginning", () => present.begin().then(() => 1), looked)) > 0;
  if (isOver(life)) return;
  life.phase = "recovering";
  running.begin();
  await guarded("recovering", () => running.recover(() => !isOver(life)), looked);
  if (isOver(life)) return;
  life.phase = "running";
  while (!isOver(life) && !present.isOver()) await lookOnce(life, looked);
}

async function takeLock(life: Life, { parts, rest, mayBegin }: Looked): Promise<HeldLock | null> {
  const askFor = (): Promise<HeldLock | null> =>
    parts.locks.acquire(`dispatcher-${parts.settings().policy.instance.name}`);
  // A lock that all machines share cannot be had while the store is away.
  const refused = (error: unknown): null => (
    parts.log(
      "error",
      `the right to dispatch cannot be asked for: ${error instanceof Error ? error.message : String(error)}`,
    ),
    null
  );
  while (life.phase === "waiting") {
    const lock = mayBegin() ? await askFor().catch(refused) : null;
    if (lock !== null) return lock;
    await rest.take(lockRetryMs);
  }
  life.phase = "stopped";
  return null;
}

/** One look at everything; a part that fails is logged and looked at again, the others go on. */
async function lookOnce(life: Life, looked: Looked): Promise<void> {
  const { ingest, running, effects, apart } = looked;
  const goOn = (): boolean => life.phase === "running";
  life.poked = false;
  const decided = await guarded("deciding", () => apart(() => ingest.drain()), looked);
  effects.look();
  const acted = [
    decided,
    await guarded("recovering", () => running.recover(goOn), looked),
    await guarded("lanes", () => apart(() => running.take(goOn)), looked),
  ];
  if (acted.some((count) => count > 0)) looked.progressed();
  else {
    const ms = await untilNextWork(looked);
    if (!life.poked && life.phase === "running") await looked.rest.take(ms); // Asked last: nothing comes between this and the rest.
  }
}

async function untilNextWork({ parts, ingest, running }: Looked): Promise<number> {
  const lanes = await running.wakeAt().catch(() => null);
  return Math.max(
    5,
    Math.min(
      idleLookMs,
      Math.min(lanes ?? Infinity, ingest.wakesAt() ?? Infinity) - parts.clock.now(),
    ),
  );
}

async function guarded(
  what: string,
  work: () => Promise<number>,
  { parts, rest }: Looked,
): Promise<number> {
  try {
    return await work();
  } catch (error) {
    parts.log("error", `${what} failed: ${error instanceof Error ? error.message : String(error)}`);
    await rest.take(idleLookMs / 2);
    return 0;
  }
}

/**
 * Settles once nothing is left to do. Ready turns on lanes that are held wait for somebody; a drain
 * does not wait for them.
 */
async function drained(
  life: Life,
  parts: RuntimeParts,
  running: RunningTurns,
  effects: Effects,
): Promise<boolean> {
  for (;;) {
    if (life.phase === "waiting" || life.phase === "stopped") return false;
    const { undecided, turns: counted, pendingEffects } = await parts.store.stats();
    if (
      life.phase === "running" &&
      undecided === 0 &&
      pendingEffects === 0 &&
      !effects.busy() &&
      running.count() === 0 &&
      !running.isTaking() &&
      counted.injecting === 0 &&
      (await running.wakeAt()) === null
    )
      return true;
    await new Promise<void>((resolve) => parts.timers.after(50, resolve));
  }
}
