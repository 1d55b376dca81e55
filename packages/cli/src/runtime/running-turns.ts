import { mergeTurns } from "@loopwork/core";
import { LoopError } from "@loopwork/core/errors";
import type { MergeTurns } from "@loopwork/core/ports";
import type { TurnHandler } from "./handlers/turn.ts";
import type { RuntimeParts } from "./parts.ts";

/** The turns that a dispatcher runs, each on a lane that it has leased: at most `maxConcurrentTurns`, and every one of an earlier life that must be judged. */
export type RunningTurns = {
  count(): number;
  /** Whether a lane may have been given out whose turn does not count yet. */
  isTaking(): boolean;
  /** Takes up attempts of an earlier life, and turns of this life on which our own code or the store failed; resolves to their number. */
  recover(goOn: () => boolean): Promise<number>;
  /** Takes lanes while there is room and `goOn` says so; resolves to their number. */
  take(goOn: () => boolean): Promise<number>;
  /** When the next lane could be taken, milliseconds since 1970; null when nothing waits for time, or all room is taken and an end will tell. */
  wakeAt(): Promise<number | null>;
  /** Settles once all that run now have ended. */
  ended(): Promise<unknown>;
};

const leaseMs = 30_000;

/** `onEnd` is called whenever one has ended, however. */
export function createRunningTurns(parts: RuntimeParts, turns: TurnHandler, onEnd: () => void): RunningTurns {
  const running = new Set<Promise<void>>();
  const { lanes } = parts.store;
  const owner = parts.settings().policy.instance.name;
  /** From when on turns without a living owner are to be looked for, in milliseconds since 1970; null when there can be none. */
  let orphansAt: number | null = 0;
  let taking = false;

  const isFull = (): boolean => running.size >= parts.settings().dispatch.maxConcurrentTurns;
  const merge = (): MergeTurns => mergeTurns(parts.settings().dispatch.coalesce);
  const track = (work: Promise<void>): void => {
    const tracked = work
      .catch((error: unknown) => {
        parts.log("error", `a turn ended unexpectedly: ${textOf(error)}`);
        orphansAt = parts.clock.now() + leaseMs; // It may stand half-way; it is taken up once its lease has run out.
      })
      .finally(() => {
        running.delete(tracked);
        onEnd();
      });
    running.add(tracked);
  };

  return {
    count: () => running.size,
    isTaking: () => taking,
    async recover(goOn) {
      if (orphansAt === null || parts.clock.now() < orphansAt) return 0;
      const orphans = await lanes.orphans({ owner, now: parts.clock.now(), leaseMs });
      orphansAt = null;
      if (!goOn()) return 0; // The next life takes them up.
      for (const taken of orphans) track(turns.recover(taken));
      return orphans.length;
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
          track(turns.run(lane));
        }
      } finally {
        taking = false; // What was given out counts by now.
      }
      return taken;
    },
    wakeAt: () => (isFull() ? Promise.resolve(null) : lanes.wakeAt(parts.clock.now(), merge())),
    ended: () => Promise.all(running),
  };
}

/** Our own refusals say enough; of a bug we want to know where. */
function textOf(error: unknown): string {
  if (error instanceof LoopError) return `${error.message} (${error.code}); it is taken up again`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
