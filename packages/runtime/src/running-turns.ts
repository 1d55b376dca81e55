import { mergeTurns } from "@loopwork/core";
import { LoopError, type MergeTurns, type RefText, type TakenLane } from "@loopwork/core/ports";
import type { TurnHandler } from "./handlers/turn.ts";
import type { RuntimeParts } from "./parts.ts";

/**
 * The turns that a dispatcher runs, each on a lane that it has leased: at most
 * `maxConcurrentTurns`, and every one of an earlier life that must be judged.
 */
export type RunningTurns = {
  /**
   * Dispatching begins, again perhaps: another process may have left attempts behind that it began
   * meanwhile.
   */
  begin(): void;
  count(): number;
  /** Whether a lane may have been given out whose turn does not count yet. */
  isTaking(): boolean;
  /**
   * Takes up attempts of an earlier life, and turns of this life on which our own code or the store
   * failed; resolves to their number.
   */
  recover(goOn: () => boolean): Promise<number>;
  /** Takes lanes while there is room and `goOn` says so; resolves to their number. */
  take(goOn: () => boolean): Promise<number>;
  /**
   * When the next lane could be taken, milliseconds since 1970; null when nothing waits for time,
   * or all room is taken and an end will tell.
   */
  wakeAt(): Promise<number | null>;
  /** Settles once all that run now have ended. */
  ended(): Promise<unknown>;
};

const leaseMs = 30_000;

/** `onEnd` is called whenever one has ended, however. */
export function createRunningTurns(
  parts: RuntimeParts,
  turns: TurnHandler,
  onEnd: () => void,
): RunningTurns {
  /** What runs, with its lane. */
  const running = new Map<Promise<void>, RefText>();
  const { lanes } = parts.store;
  const owner = parts.settings().policy.instance.name;
  const looks = createLooks(parts.clock);
  let taking = false;

  const isFull = (): boolean => running.size >= parts.settings().dispatch.maxConcurrentTurns;
  const merge = (): MergeTurns => mergeTurns(parts.settings().dispatch.coalesce);
  const track = (lane: RefText, work: Promise<void>): void => {
    const tracked = work
      .catch((error: unknown) => {
        parts.log("error", `a turn ended unexpectedly: ${textOf(error)}`);
        looks.add(leaseMs); // It may stand half-way; it is taken up once its lease has run out.
      })
      .finally(() => {
        running.delete(tracked);
        onEnd();
      });
    running.set(tracked, lane);
  };
  /**
   * True when it was taken up; not beside a run of ours that another process has overtaken: two
   * would answer its requests.
   */
  const takeUp = async (taken: TakenLane): Promise<boolean> => {
    const isHere = [...running.values()].includes(taken.lease.lane);
    if (!isHere) track(taken.lease.lane, turns.recover(taken));
    else await lanes.release(taken.lease).finally(() => looks.add(leaseMs));
    return !isHere;
  };

  return {
    begin: () => looks.add(running.size === 0 ? 0 : leaseMs), // A lease of ours that ran out while the store was away is renewed by then.
    count: () => running.size,
    isTaking: () => taking,
    async recover(goOn) {
      if (!looks.takeDue()) return 0; // Before the question: what fails meanwhile asks for a look of its own.
      const orphans = await lanes
        .orphans({ owner, now: parts.clock.now(), leaseMs })
        .catch((error: unknown) => {
          looks.add(0);
          throw error;
        });
      if (!goOn()) return 0; // The next life takes them up.
      let takenUp = 0;
      for (const taken of orphans) if (await takeUp(taken)) takenUp += 1;
      return takenUp;
    },
    async take(goOn) {
      let taken = 0;
      try {
        while (!isFull() && goOn()) {
          taking = true;
          const lane = await lanes.take({ owner, now: parts.clock.now(), leaseMs, merge: merge() });
          if (lane === null) break;
          if (!goOn()) {
            await lanes.release(lane.lease);
            break;
          }
          taken++;
          track(lane.lease.lane, turns.run(lane));
        }
      } finally {
        taking = false; // What was given out counts by now.
      }
      return taken;
    },
    wakeAt: () => (isFull() ? Promise.resolve(null) : lanes.wakeAt(parts.clock.now(), merge())),
    ended: () => Promise.all(running.keys()),
  };
}

/** When turns without a living owner are to be looked for; at no time when there can be none. */
function createLooks(clock: RuntimeParts["clock"]): {
  readonly add: (inMs: number) => void;
  readonly takeDue: () => boolean;
} {
  let times: readonly number[] = [];
  return {
    add: (inMs) => void (times = [...times, clock.now() + inMs]),
    takeDue() {
      const later = times.filter((at) => at > clock.now());
      const isDue = later.length < times.length;
      times = later;
      return isDue;
    },
  };
}

/** Our own refusals say enough; of a bug we want to know where. */
function textOf(error: unknown): string {
  if (error instanceof LoopError) return `${error.message} (${error.code}); it is taken up again`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
