/** Milliseconds since 1970. Core never asks for the time; shells pass `clock.now()` in. */
export interface Clock {
  now(): number;
}

/** Fresh ids. */
export interface Ids {
  /** A random UUID in lower case. */
  uuid(): string;
}
