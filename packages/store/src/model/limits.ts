/** Undecided deliveries over which the inbox refuses new ones (decisions.md 3: 503 with `Retry-After`). */
export const defaultMaxBacklog: number = 50_000;

/** Ready turns of one lane that a merge step is shown; what is behind waits for the next turn. */
export const maxShownTurns: number = 100;
