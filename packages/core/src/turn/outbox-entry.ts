import type { Effect } from "../decide/effect.ts";
import type { RefText } from "../ref/ref.ts";

/** `attempts`: tries that did not end it. */
export type OutboxEntry = {
  readonly id: number;
  readonly workItem: RefText;
  readonly deliveryId: string;
  readonly effect: OutboxEffect;
  readonly attempts: number;
  readonly createdAt: number;
};

/**
 * `notBefore` is milliseconds since 1970, `note` what the last look at it said; null before the
 * first.
 */
export type PendingEffect = OutboxEntry & {
  readonly notBefore: number;
  readonly note: string | null;
};

export type OutboxEffect = Exclude<Effect, { readonly kind: "turn" | "drop-turns" }>;
