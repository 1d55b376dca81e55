import type { Random } from "./random.ts";

/**
 * Time of the simulated world. Nothing happens by itself: what is to happen waits in a row, the
 * next one is taken, the time is set to it, it is called, and everything that follows without
 * waiting is let run to its end. Two things that are due at the same moment come in an order that
 * the seed draws.
 */
export type Scheduler = {
  /** Milliseconds since the world began; only grows. */
  now(): number;
  /** Calls once after `ms` milliseconds; the result calls it off. */
  after(ms: number, call: () => void): () => void;
  /** Takes one step after the other until nothing waits, `until` is reached, or `goOn` says no. */
  run(until: number, goOn: () => boolean): Promise<void>;
  /** Steps taken so far. */
  steps(): number;
};

type Waiting = {
  readonly at: number;
  readonly tie: number;
  readonly seq: number;
  call: (() => void) | null;
};

export function createScheduler(random: Random): Scheduler {
  const heap: Waiting[] = [];
  let [now, seq, steps] = [0, 0, 0];
  return {
    now: () => now,
    after(ms, call) {
      const waiting: Waiting = {
        at: now + Math.max(0, Math.ceil(ms)),
        tie: random.int(0, 7),
        seq: seq++,
        call,
      };
      push(heap, waiting);
      return () => void (waiting.call = null);
    },
    async run(until, goOn) {
      await drained();
      while (goOn()) {
        const next = heap[0];
        if (next === undefined || next.at > until) break;
        pop(heap);
        if (next.call === null) continue;
        now = next.at;
        steps += 1;
        next.call();
        await drained();
      }
    },
    steps: () => steps,
  };
}

/**
 * Resolves once every promise that can go on without time has gone on. It is the event loop's turn,
 * not its clock.
 */
function drained(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function before(one: Waiting, other: Waiting): boolean {
  return (
    one.at - other.at < 0 ||
    (one.at === other.at && (one.tie < other.tie || (one.tie === other.tie && one.seq < other.seq)))
  );
}

function push(heap: Waiting[], entry: Waiting): void {
  let at = heap.push(entry) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent];
    if (above === undefined || !before(entry, above)) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = entry;
}

function pop(heap: Waiting[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let at = 0;
  for (;;) {
    const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
    if (left === undefined) break;
    const [child, next] =
      right !== undefined && before(right, left) ? [right, 2 * at + 2] : [left, 2 * at + 1];
    if (!before(child, last)) break;
    heap[at] = child;
    at = next;
  }
  heap[at] = last;
}
