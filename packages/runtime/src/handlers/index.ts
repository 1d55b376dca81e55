import type { Recorded } from "@loopwork/core";
import type { EventLine, OutboxEffect, OutboxEntry } from "@loopwork/core/ports";

/** What carrying out an effect came to. Times are milliseconds since 1970. */
export type Carried =
  | {
      readonly kind: "done";
      readonly recorded: Recorded;
      readonly note: string;
      readonly lines: readonly EventLine[];
    }
  /** Nothing was tried: it waits for something that passes. */
  | { readonly kind: "waits"; readonly notBefore: number; readonly note: string }
  /** It was tried and failed, and is tried again. */
  | { readonly kind: "again"; readonly notBefore: number; readonly note: string }
  /** Nothing was tried: it is not this instance's any more, and there is nothing to settle. */
  | { readonly kind: "elsewhere"; readonly note: string }
  /** It was tried and is given up; never an end, for which a lane waits. */
  | { readonly kind: "failed"; readonly note: string; readonly lines: readonly EventLine[] };

/**
 * One handler for each kind of effect in the outbox: a new kind that nobody handles does not
 * compile.
 */
export type OutboxHandlers = {
  readonly [K in OutboxEffect["kind"]]: (
    effect: Extract<OutboxEffect, { readonly kind: K }>,
    entry: OutboxEntry,
  ) => Promise<Carried>;
};
