/**
 * How a delivery came in. Webhook and poll carry the host's payloads, cli and api carry our own
 * control payload.
 */
export type DeliverySource = "webhook" | "poll" | "cli" | "api";

/** One thing that happened on the code host, or one request of a person, as it was stored. */
export type Delivery = {
  /** Delivery id of the host, `poll-<sha256>` or a UUID of ours; grammar `[A-Za-z0-9-]{1,128}`. */
  readonly id: string;
  readonly source: DeliverySource;
  /** Event name out of the header, such as `issue_comment`; `control` for our own. */
  readonly event: string;
  /** True when a signature over the raw bytes was checked and held. */
  readonly verified: boolean;
  /** Milliseconds since 1970, receiver's clock. */
  readonly receivedAt: number;
  /**
   * Names the body: the verified signature's hex digits, else the SHA-256 in hex. Equal digests
   * mean equal bodies.
   */
  readonly digest: string;
};

/** A delivery on its way into the inbox. */
export type NewDelivery = Delivery & {
  /** Raw bytes as they were received; null when only the id and the reason are kept (`ignored`). */
  readonly body: Uint8Array | null;
  /**
   * Why the receiver already knows that this will never be routed; null for all that must be
   * decided.
   */
  readonly ignored: IgnoredAtDoor | null;
  /**
   * True: an equal body under another id is a delivery of its own (`dedupeBody: false`). Absent
   * means false.
   */
  readonly allowReplay?: boolean;
};

/** Reasons for which a receiver keeps a delivery's id without its body. */
export type IgnoredAtDoor = "event-not-listed" | "ping" | "unknown-event";

/** A delivery in the log. `seq` is the order in which deliveries are decided, 1 and up. */
export type StoredDelivery = Delivery & { readonly seq: number };

/** How long an equal verified body under another id counts as a replay, in milliseconds. */
export const replayWindowMs: number = 7 * 24 * 60 * 60 * 1000;
