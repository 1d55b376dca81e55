import type { Refs } from "./fetch.ts";

/**
 * When each clone was last brought up to date, so that many who wait for the same clone fetch once:
 * a fetch that began after somebody asked shows them everything that was pushed before they asked.
 * Times are of a clock that never goes back.
 */
export interface Fetches {
  /** Runs the fetch unless one that began after `askedAt` has succeeded. Says whether it ran. */
  since(clone: string, askedAt: number, fetch: () => Promise<Refs>): Promise<boolean>;
  /** Whether the last one failed, and that less than ten minutes ago. */
  failedLately(clone: string): boolean;
  /**
   * What the last one brought, which nobody can change; null where this process has fetched
   * nothing.
   */
  last(clone: string): Refs | null;
}

const lately = 10 * 60_000;

export function createFetches(now: () => number = () => performance.now()): Fetches {
  const done = new Map<string, { readonly began: number; readonly refs: Refs }>();
  const failed = new Map<string, number>();
  return {
    async since(clone, askedAt, fetch) {
      if ((done.get(clone)?.began ?? -1) >= askedAt) return false;
      const began = now();
      done.delete(clone);
      failed.set(clone, began);
      done.set(clone, { began, refs: await fetch() });
      failed.delete(clone);
      return true;
    },
    failedLately: (clone) => now() - (failed.get(clone) ?? -Infinity) < lately,
    last: (clone) => done.get(clone)?.refs ?? null,
  };
}
