import type { Timers } from "@loopwork/core/ports";
import type { Random } from "../random.ts";
import type { Scheduler } from "../scheduler.ts";
import type { Trace } from "../trace.ts";

/**
 * One life of the daemon's process, from its start to a crash or to its end.
 *
 *     alive ──die, at any step──▶ dead: no step of it goes on, no timer of it fires
 *
 * Everything that the service does to the world goes through `call`: before it and after it stands
 * a step, at which others may come first, time may pass, or the process may die. What it had in
 * memory is then gone, because nobody asks it again.
 */
export type Life = {
  readonly number: number;
  alive(): boolean;
  /** The work is done at once, as one transaction; the steps around it are where things happen. */
  call<T>(what: string, work: () => Promise<T>, detail?: () => string): Promise<T>;
  /** Time passes for this process, or it dies meanwhile. */
  wait(ms: number): Promise<void>;
  readonly timers: Timers;
  die(): void;
};

export type LifeOptions = {
  readonly number: number;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly trace: Trace;
  /** Share of steps at which a little time passes. */
  readonly jitter: number;
  /** Asked at each step; true kills the process there. */
  readonly diesAt: (what: string) => boolean;
  readonly onDeath: () => void;
};

/** The port, with a step before and after each call. Its methods must be asynchronous. */
export function through<T extends object>(port: T, name: string, life: Life): T {
  return new Proxy(port, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== "function") return value;
      return (...args: readonly unknown[]) =>
        life.call(
          `${name}.${String(key)}`,
          async (): Promise<unknown> => Reflect.apply(value, target, args),
          () => JSON.stringify(args),
        );
    },
  });
}

/** Looks that are taken again and again. */
const looks: ReadonlySet<string> = new Set([
  "log.undecided",
  "outbox.due",
  "lanes.take",
  "lanes.wakeAt",
  "lanes.orphans",
  "store.stats",
  "log.body",
  "log.seenAs",
  "items.load",
  "items.linkedTo",
  "items.linksBySha",
  "items.ownerOfEndpoint",
  "items.pinnedActor",
  "items.pinnedTo",
  "items.list",
  "workspace.headOf",
  "cursors.get",
]);

/** A look that found nothing, or one at what stands in the trace already. */
function foundNothing(what: string, found: unknown): boolean {
  return looks.has(what) && (what !== "lanes.take" || found === null);
}

export function createLife({
  number,
  scheduler,
  random,
  trace,
  jitter,
  diesAt,
  onDeath,
}: LifeOptions): Life {
  let alive = true;
  const never = <T>(): Promise<T> => new Promise<T>(() => {});
  const die = (): void => {
    if (!alive) return;
    alive = false;
    trace.say(`life ${number} ends`);
    onDeath();
  };
  const wait = (ms: number): Promise<void> =>
    new Promise((resolve) => void scheduler.after(ms, () => void (alive && resolve())));
  const step = async (what: string): Promise<void> => {
    if (!alive) return never();
    if (diesAt(what)) {
      trace.say(`life ${number} dies at ${what}`);
      die();
      return never();
    }
    if (random.chance(jitter)) await wait(random.int(0, 6));
  };
  return {
    number,
    alive: () => alive,
    wait,
    die,
    async call(what, work, detail) {
      await step(what);
      const said = trace.say(what, detail);
      const done = await work().then(
        (value) => ({ ok: true, value }) as const,
        (error: unknown) => ({ ok: false, error }) as const,
      );
      if (done.ok && foundNothing(what, done.value)) said.drop();
      await step(`${what} done`);
      if (!done.ok) throw done.error;
      return done.value;
    },
    timers: {
      after: (ms, call) => scheduler.after(ms, () => void (alive && call())),
      every(ms, call) {
        let callOff = (): void => {};
        const again = (): void => {
          callOff = scheduler.after(ms, () => {
            if (!alive) return;
            again();
            call();
          });
        };
        again();
        return () => callOff();
      },
    },
  };
}
