import type { Acceptance, NewDelivery } from "@loopwork/core/ports";
import type { Bodies, Place } from "./bodies.ts";

/** A delivery whose body is to be written; exactly one of the three is called. */
export type BodyJob = {
  readonly delivery: NewDelivery;
  readonly body: Uint8Array;
  /** The body is flushed. `since`: up to this seq no delivery is one that it repeats. */
  written(place: Place, since: number): void;
  /** It repeats another: nothing is written. */
  repeats(what: Acceptance): void;
  failed(error: unknown): void;
};

/** What each delivery repeats, as far as it is known up to `since`. */
export type Known = { readonly repeats: readonly (Acceptance | null)[]; readonly since: number };

/**
 * Writes bodies, one flush at a time; those that arrive meanwhile share the next. The first body of
 * an idle writer waits for the end of this round of the event loop, for those that came with it.
 */
export function createBodyWriter(
  bodies: Bodies,
  known: (deliveries: readonly NewDelivery[]) => Known,
): (job: BodyJob) => void {
  let waiting: BodyJob[] = [];
  let busy = false;

  const flushAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await flush(batch).catch((error: unknown) => {
        for (const job of batch) job.failed(error);
      });
    }
    busy = false;
  };

  const flush = async (batch: readonly BodyJob[]): Promise<void> => {
    const { repeats, since } = known(batch.map((job) => job.delivery));
    const fresh = batch.filter((_, n) => repeats[n] === null);
    const places = fresh.length === 0 ? [] : await bodies.write(fresh.map((job) => job.body));
    for (const [n, place] of places.entries()) fresh[n]?.written(place, since);
    for (const [n, repeat] of repeats.entries()) if (repeat !== null) batch[n]?.repeats(repeat);
  };

  return (job) => {
    waiting.push(job);
    if (busy) return;
    busy = true;
    setImmediate(() => void flushAll());
  };
}
