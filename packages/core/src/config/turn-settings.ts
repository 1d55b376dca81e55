/**
 * The part of the configuration that dispatching depends on; `settingsOf` in config makes it.
 * Values that have no key are decided here in one place.
 */
export type DispatchSettings = {
  readonly coalesce: CoalesceSettings;
  readonly retry: RetrySettings;
  readonly breaker: BreakerSettings;
  readonly budget: BudgetSettings;
  readonly maxConcurrentTurns: number;
  /** Milliseconds from the spawn of a turn's child until TERM. */
  readonly turnTimeoutMs: number;
};

export type CoalesceSettings = {
  readonly quietSeconds: number;
  readonly maxSeconds: number;
  /** Characters of excerpts up to which events merge into one turn. */
  readonly maxPromptChars: number;
};

export type RetrySettings = {
  /** Tries of one turn that count, after which it fails. */
  readonly maxTries: number;
  /** Milliseconds before the second try; doubled for each further one, up to `longestDelayMs`. */
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
  /** Milliseconds that a lane sleeps at a usage limit without a reset time. */
  readonly usageLimitMs: number;
  /** Milliseconds before asking again for a session that somebody else holds. */
  readonly sessionBusyMs: number;
};

export type BreakerSettings = { readonly turns: number; readonly windowMinutes: number };

/** Bounds of one work item; null means none. */
export type BudgetSettings = {
  readonly turns: number | null;
  readonly usd: number | null;
  readonly minutes: number | null;
};
