import type { NewDelivery } from "@loopwork/core";
import type { Acceptance } from "@loopwork/core/ports";
import type { Bodies, Place } from "./bodies.ts";

export type BodyWriter = {
  /** Resolves to the place of the body once it is flushed, or to what the delivery repeats: then nothing is written. */
  write(delivery: NewDelivery, body: Uint8Array): Promise<Place | Acceptance>;
};

type Waiter = { readonly delivery: NewDelivery; readonly body: Uint8Array; resolve(place: Place | Acceptance): void; reject(error: unknown): void };

/**
 * One flush at a time; bodies that arrive meanwhile share the next. The first body of an idle writer waits for the end of
 * this round of the event loop, for those that came with it.
 */
export function createBodyWriter(bodies: Bodies, known: (deliveries: readonly NewDelivery[]) => readonly (Acceptance | null)[]): BodyWriter {
  let waiting: Waiter[] = [];
  let busy = false;

  const flushAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await flush(batch).catch((error: unknown) => {
        for (const each of batch) each.reject(error);
      });
    }
    busy = false;
  };

  const flush = async (batch: readonly Waiter[]): Promise<void> => {
    const repeats = known(batch.map((each) => each.delivery));
    const fresh = batch.filter((_, n) => repeats[n] === null);
    const places = fresh.length === 0 ? [] : await bodies.write(fresh.map((each) => each.body));
    for (const [n, place] of places.entries()) fresh[n]?.resolve(place);
    for (const [n, repeat] of repeats.entries()) if (repeat !== null) batch[n]?.resolve(repeat);
  };

  return {
    write: (delivery, body) =>
      new Promise((resolve, reject) => {
        waiting.push({ delivery, body, resolve, reject });
        if (busy) return;
        busy = true;
        setImmediate(() => void flushAll());
      }),
  };
}
