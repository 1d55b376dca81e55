/** Milliseconds since 1970, so that a test can hold the host's time still. */
export type Clock = { readonly now: () => number };
