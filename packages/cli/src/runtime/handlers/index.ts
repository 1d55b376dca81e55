import type { EventLine, Recorded } from "@loopwork/core";
import type { OutboxEffect, OutboxEntry } from "@loopwork/core/ports";

/** What carrying out an effect came to. Times are milliseconds since 1970. */
export type Carried =
  | { readonly kind: "done"; readonly recorded: Recorded; readonly note: string; readonly lines: readonly EventLine[] }
  | { readonly kind: "later"; readonly notBefore: number; readonly note: string }
  | { readonly kind: "failed"; readonly note: string; readonly lines: readonly EventLine[] };

/** One handler for each kind of effect in the outbox: a new kind that nobody handles does not compile. */
export type OutboxHandlers = { readonly [K in OutboxEffect["kind"]]: (effect: Extract<OutboxEffect, { readonly kind: K }>, entry: OutboxEntry) => Promise<Carried> };
