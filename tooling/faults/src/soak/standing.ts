import type { RuntimeParts } from "@loopwork/cli/start";

/** What a flush takes on a disk that others write to, in milliseconds. */
const flushMs = 8;

/** Each decision holds the thread, as one that is flushed on it does: in front of the store's port. */
export function standingStill(parts: RuntimeParts): RuntimeParts {
  const { store } = parts;
  const cell = new Int32Array(new SharedArrayBuffer(4));
  return {
    ...parts,
    store: {
      ...store,
      log: {
        ...store.log,
        decide(...decision) {
          Atomics.wait(cell, 0, 0, flushMs);
          return store.log.decide(...decision);
        },
      },
    },
  };
}
