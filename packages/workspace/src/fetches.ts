/**
 * When each clone was last brought up to date, so that many who wait for the same clone fetch once: a fetch that began
 * after somebody asked shows them everything that was pushed before they asked. Times are of a clock that never goes back.
 */
export interface Fetches {
  /** Runs the fetch unless one that began after `askedAt` has succeeded. */
  since(clone: string, askedAt: number, fetch: () => Promise<void>): Promise<void>;
}

export function createFetches(now: () => number = () => performance.now()): Fetches {
  const began = new Map<string, number>();
  return {
    async since(clone, askedAt, fetch) {
      if ((began.get(clone) ?? -1) >= askedAt) return;
      const start = now();
      began.delete(clone);
      await fetch();
      began.set(clone, start);
    },
  };
}
