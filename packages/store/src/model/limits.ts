/** Undecided deliveries over which the inbox refuses new ones. */
export const defaultMaxBacklog: number = 50_000;

/**
 * How far back an instance reads the log when its first life begins, in milliseconds: as long as a
 * start waits for somebody.
 */
export const firstLookMs: number = 7 * 24 * 60 * 60 * 1000;

/** Ready turns of one lane that a merge step is shown; what is behind waits for the next turn. */
export const maxShownTurns: number = 100;
