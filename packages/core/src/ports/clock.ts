/** Milliseconds since 1970. Core never asks for the time; shells pass `clock.now()` in. */
export interface Clock {
  now(): number;
}

/** Waiting. It is handed in like the clock, so that a simulation can let a day pass in a moment. */
export interface Timers {
  /** Calls once after `ms` milliseconds; the result calls it off. */
  after(ms: number, call: () => void): () => void;
  /** Calls every `ms` milliseconds, for the first time after that long; the result ends it. */
  every(ms: number, call: () => void): () => void;
}

/** Fresh ids. */
export interface Ids {
  /** A random UUID in lower case. */
  uuid(): string;
}
