import type { Hold, Spend } from "../work-item/records.ts";
import type { BudgetSettings } from "./settings.ts";

/**
 * Holds the lane when the spend of a work item reaches its budget, or the next multiple of it:
 * `resume` grants the same amount again, which needs no record of its own. `before` is the spend
 * when this was last asked, `after` the spend now with all that running turns have used so far.
 */
export function budgetHold(before: Spend, after: Spend, budget: BudgetSettings): Hold | null {
  const reached = (["turns", "usd", "minutes"] as const).find((unit) =>
    crosses(before[unit], after[unit], budget[unit]),
  );
  if (reached === undefined) return null;
  return {
    reason: "budget",
    until: null,
    detail: `${format(after[reached])} ${words[reached]} used; the budget of a work item is ${format(budget[reached] ?? 0)}`,
  };
}

/** Adds what turns in flight have used so far. */
export function withInFlight(spend: Spend, inFlight: readonly Spend[]): Spend {
  return inFlight.reduce(
    (sum, one) => ({
      turns: sum.turns + one.turns,
      usd: sum.usd + one.usd,
      minutes: sum.minutes + one.minutes,
    }),
    spend,
  );
}

const words = { turns: "turns", usd: "US dollars", minutes: "minutes" } as const;

// Sums of decimal fractions fall a hair short of a whole budget.
const multiples = (amount: number, limit: number): number => Math.floor(amount / limit + 1e-9);

const crosses = (before: number, after: number, limit: number | null): boolean =>
  limit !== null && limit > 0 && multiples(after, limit) > multiples(before, limit);

const format = (amount: number): string => String(Math.round(amount * 100) / 100);
