import type { NewDelivery } from "../event/delivery.ts";

/**
 * Where accepted deliveries go. One contract suite (`@loopwork/core/testing`) holds for the store's
 * inbox and for the receiver's own file inbox.
 */
export interface Inbox {
  /**
   * Resolves once the delivery is durable (committed and flushed), or once it is known that it was
   * stored before. Rejects with `InboxUnavailable`; then nothing of it is stored that could be
   * acknowledged later.
   */
  append(delivery: NewDelivery): Promise<Acceptance>;
}

/**
 * `replay`: a verified delivery of the same event and body came under the id `of` within the last 7
 * days.
 */
export type Acceptance =
  | { readonly kind: "accepted"; readonly seq: number }
  | { readonly kind: "duplicate"; readonly why: "id" | "replay"; readonly of: string };

/** The inbox cannot take deliveries now; a receiver answers 503 with `Retry-After`. */
export class InboxUnavailable extends Error {
  override readonly name: string = "InboxUnavailable";
  readonly code: "LOOP_E_STORE_UNAVAILABLE" | "LOOP_E_BACKLOG_FULL";
  readonly retryAfterSeconds: number;

  /** Known by its name, as a package may bring a copy of this class of its own. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === "InboxUnavailable";
  }

  constructor(
    code: "LOOP_E_STORE_UNAVAILABLE" | "LOOP_E_BACKLOG_FULL",
    detail: string,
    retryAfterSeconds = 5,
  ) {
    super(detail);
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
