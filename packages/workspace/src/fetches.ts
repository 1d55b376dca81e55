import type { Refs } from "./fetch.ts";

/**
 * When each clone was last brought up to date, so that many who wait for the same clone fetch once: a fetch that began
 * after somebody asked shows them everything that was pushed before they asked. Times are of a clock that never goes back.
 */
export interface Fetches {
  /** Runs the fetch unless one that began after `askedAt` has succeeded. Says whether it ran. */
  since(clone: string, askedAt: number, fetch: () => Promise<Refs>): Promise<boolean>;
  /** What the last one brought, which nobody can change; null where this process has fetched nothing. */
  last(clone: string): Refs | null;
}

export function createFetches(now: () => number = () => performance.now()): Fetches {
  const done = new Map<string, { readonly began: number; readonly refs: Refs }>();
  return {
    async since(clone, askedAt, fetch) {
      if ((done.get(clone)?.began ?? -1) >= askedAt) return false;
      const began = now();
      done.delete(clone);
      done.set(clone, { began, refs: await fetch() });
      return true;
    },
    last: (clone) => done.get(clone)?.refs ?? null,
  };
}
