import type { JsonObject } from "../wire/json.ts";

/** One delivery as the host remembers it. Its id stays the same when it is sent again. */
export type Delivery = {
  readonly id: string;
  readonly event: string;
  readonly action: string;
  readonly payload: JsonObject;
  /** The bytes that are signed and sent. */
  readonly body: string;
  readonly attempts: Attempt[];
};

/**
 * `id` is the attempt's own number and `url` where it went; `status` is the answer's, or null with
 * `error` when there was no answer.
 */
export type Attempt = {
  readonly id: number;
  readonly url: string | null;
  readonly why: "first" | "duplicate" | "redelivery";
  readonly at: string;
  readonly status: number | null;
  readonly error: string | null;
};

/** Where deliveries go. Without a secret they are not signed. */
export type WebhookTarget = { readonly url: string; readonly secret: string | null };

/**
 * How badly the deliveries travel. Shares are fractions from 0 to 1; the seed makes every draw
 * repeatable.
 */
export type Disorder = {
  readonly seed: number;
  /** Share that is sent a second time under the same id. */
  readonly duplicates: number;
  /** Share that is overtaken by what comes later. */
  readonly reordered: number;
  /** Each delivery waits a time between the two, in milliseconds. */
  readonly delayMs: readonly [number, number];
};
