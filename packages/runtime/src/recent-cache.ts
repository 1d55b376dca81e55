import type { Clock } from "@loopwork/core/ports";

/**
 * What was learned a moment ago, by the name of what it is about: of a burst of events only the
 * first has to ask.
 */
export type Recent<T> = {
  /** Undefined where nothing was learned within the last minute. */
  get(name: string): T | undefined;
  put(name: string, value: T): void;
  forget(): void;
};

const keepMs = 60_000;

/** More are not kept: all are forgotten then, which costs a question each. */
const most = 1_000;

export function createRecent<T>(clock: Clock): Recent<T> {
  const known = new Map<string, { readonly value: T; readonly until: number }>();
  return {
    get(name) {
      const entry = known.get(name);
      const now = clock.now();
      // A clock that was set back makes nothing stay for longer.
      return entry !== undefined && now < entry.until && entry.until - now <= keepMs
        ? entry.value
        : undefined;
    },
    put(name, value) {
      if (known.size >= most) known.clear();
      known.set(name, { value, until: clock.now() + keepMs });
    },
    forget: () => known.clear(),
  };
}
