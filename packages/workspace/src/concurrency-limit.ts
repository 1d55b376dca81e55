/** Runs work, no more than so many at a time, in the order of asking. */
export type AtMost = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * More than the processors at a time gains nothing where git writes files (performance: worktrees).
 */
export function createAtMost(most: number): AtMost {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
