import type { Bodies, Place } from "./bodies.ts";

export type BodyWriter = {
  /** Resolves to the place of the body once it is flushed. */
  write(body: Uint8Array): Promise<Place>;
};

type Waiter = { readonly body: Uint8Array; resolve(place: Place): void; reject(error: unknown): void };

/**
 * One flush at a time; bodies that arrive meanwhile share the next. The first body of an idle writer waits for the end of
 * this round of the event loop, for those that came with it.
 */
export function createBodyWriter(bodies: Bodies): BodyWriter {
  let waiting: Waiter[] = [];
  let busy = false;

  const flush = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        const places = await bodies.write(batch.map((each) => each.body));
        for (const [n, place] of places.entries()) batch[n]?.resolve(place);
      } catch (error) {
        for (const each of batch) each.reject(error);
      }
    }
    busy = false;
  };

  return {
    write: (body) =>
      new Promise((resolve, reject) => {
        waiting.push({ body, resolve, reject });
        if (busy) return;
        busy = true;
        setImmediate(() => void flush());
      }),
  };
}
