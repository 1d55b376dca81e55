import { textAt } from "./fields.ts";

/** How much may still be asked. `resetAt` is milliseconds since 1970 by our clock. */
export type Budget = {
  readonly remaining: number;
  readonly limit: number;
  readonly resetAt: number;
};

/**
 * What the headers of an answer say; null where the host has no limits, or says nothing. The reset
 * is told by the host's clock, and so is the time of the answer: the difference counts, so that a
 * clock of ours that is wrong rests no longer.
 */
export function readBudget(headers: unknown, now: number): Budget | null {
  const read = (name: string): number =>
    Number(textAt(headers, `x-ratelimit-${name}`) ?? Number.NaN);
  const hostNow = Date.parse(textAt(headers, "date") ?? "");
  const behind = Number.isFinite(hostNow) ? now - hostNow : 0;
  const budget = {
    remaining: read("remaining"),
    limit: read("limit"),
    resetAt: read("reset") * 1_000 + behind,
  };
  return Object.values(budget).every((value) => Number.isFinite(value)) &&
    budget.remaining >= 0 &&
    budget.limit >= 0
    ? budget
    : null;
}

/**
 * Until when what can wait, such as polling, rests so that a tenth of the hour's requests is left
 * for comments and questions; null while there is more than that. A reset that lies behind us has
 * given everything back.
 */
export function restUntil(budget: Budget | null, now: number): number | null {
  if (budget === null || budget.resetAt <= now) return null;
  return budget.remaining < budget.limit / 10 ? budget.resetAt : null;
}
