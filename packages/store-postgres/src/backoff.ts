/**
 * Keeps calls off a server that could not be reached: the first attempt after a failure waits 100
 * ms, each further one twice as long, at most 5 s. Who calls meanwhile is told the last failure at
 * once, so that nobody waits in a queue.
 */
export type Backoff = {
  /** Throws the last failure while the server is left alone. */
  check(): void;
  failed(error: unknown): void;
  succeeded(): void;
};

const [firstMs, longestMs] = [100, 5_000];

/** `now` is milliseconds of a clock that only goes on. */
export function createBackoff(now: () => number): Backoff {
  let delay = 0;
  let until = 0;
  let last: unknown = null;
  return {
    check: () => {
      if (now() < until) throw last;
    },
    failed: (error) => {
      delay = delay === 0 ? firstMs : Math.min(delay * 2, longestMs);
      until = now() + delay;
      last = error;
    },
    succeeded: () => {
      delay = 0;
      until = 0;
    },
  };
}
