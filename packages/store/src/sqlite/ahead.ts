/** How far the commits of a handle are ahead of the disk. */
export type Ahead = {
  /** Something was written that no flush has yet. */
  wrote(): void;
  /** Flushes whatever was committed before, by other handles too. */
  flush(): Promise<void>;
  /**
   * Resolves once all that was written is durable: at once when it is, else with the flush that has
   * it. Rejects as that one does.
   */
  durable(): Promise<void>;
};

/** `flushNow` is a flush that has all that was committed before it was asked for. */
export function createAhead(flushNow: () => Promise<void>): Ahead {
  let isAhead = false;
  let last: Promise<void> = Promise.resolve();

  const flush = (): Promise<void> => {
    isAhead = false;
    last = flushNow();
    // Who waits is told; where nobody does, the handle is broken, and the next one is.
    last.catch(() => {});
    return last;
  };

  return { wrote: () => void (isAhead = true), flush, durable: () => (isAhead ? flush() : last) };
}
