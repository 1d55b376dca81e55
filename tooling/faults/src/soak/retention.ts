import type { RuntimeParts } from "@loopwork/runtime";

/** How often the service looks for what is too old. */
const hourMs = 3_600_000;

/**
 * What is to be forgotten after days is forgotten after so many milliseconds, and looked for
 * accordingly often: in front of the store's port and of the timers.
 */
export function forgettingAfter(retentionMs: number): (parts: RuntimeParts) => RuntimeParts {
  return (parts) => {
    const { store, clock, timers } = parts;
    const since = (): number => clock.now() - retentionMs;
    return {
      ...parts,
      timers: {
        ...timers,
        every: (ms, call) => timers.every(ms === hourMs ? Math.ceil(retentionMs / 4) : ms, call),
      },
      store: {
        ...store,
        log: { ...store.log, forgetBodies: () => store.log.forgetBodies(since()) },
        events: { ...store.events, forget: () => store.events.forget(since()) },
      },
    };
  };
}
