import type { RuntimeParts } from "@loopwork/runtime";

/** How long the disk stands still, in milliseconds: longer than a host waits for an answer. */
const stallMs = 12_000;
/** With which delivery: some twenty seconds after the beginning of a run at fifty a second. */
const stallsWith = 1_000;

/**
 * Once the disk stands still, and the thread with it, as one does that flushes itself: in front of
 * the store's port.
 */
export function standingStill(parts: RuntimeParts): RuntimeParts {
  const { store } = parts;
  const cell = new Int32Array(new SharedArrayBuffer(4));
  let appended = 0;
  return {
    ...parts,
    store: {
      ...store,
      append(delivery) {
        appended += 1;
        if (appended === stallsWith) Atomics.wait(cell, 0, 0, stallMs);
        return store.append(delivery);
      },
    },
  };
}
