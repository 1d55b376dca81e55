import type { Authority } from "../control/authority-type.ts";
import type { InboundEvent } from "../normalise/event.ts";
import type { Runner } from "../work-item/records.ts";
import type { RefText } from "../work-item/ref.ts";

/**
 * A turn: one message to one session, made of one or more deliveries.
 *
 *     ready ──take──▶ injecting ──end of turn──▶ done
 *       │                │ ├──no more tries───▶ failed
 *       │                │ ├──cannot tell─────▶ uncertain ──retry──▶ ready
 *       │                │ └──again───────────▶ ready            └─drop──▶ dropped
 *       └──stop, cleanup, close──▶ dropped
 */
export type TurnState = "ready" | "injecting" | "done" | "failed" | "uncertain" | "dropped";

export type Turn = {
  readonly id: number;
  readonly lane: RefText;
  readonly workItem: RefText;
  readonly mode: "spawn" | "resume";
  readonly state: TurnState;
  /** In the order of the log; never empty. */
  readonly inputs: readonly TurnInput[];
  /** The newest attempt; null before the first. */
  readonly attempt: Attempt | null;
  /** Attempts begun so far, 0 and up. */
  readonly attempts: number;
  /** Not to be taken before, milliseconds since 1970; 0 means at once. */
  readonly notBefore: number;
  /** How the next attempt goes about it; set when the turn goes back to `ready`. */
  readonly next: AttemptKind;
  /** Why the turn is in its state, in one sentence; null while ready for the first time. */
  readonly note: string | null;
  readonly createdAt: number;
};

/** A delivery inside of a turn. Unique per lane and delivery. */
export type TurnInput = {
  readonly seq: number;
  readonly deliveryId: string;
  readonly event: InboundEvent;
  readonly authority: Authority;
  readonly receivedAt: number;
  /**
   * Delivery of the last control verb that was taken before it; null before the first. A start's
   * own input names itself.
   */
  readonly steered: string | null;
};

/**
 * `first` and `again` send the prompt, `again` under the receipt of before; `continue` says that
 * the turn was interrupted.
 */
export type AttemptKind = "first" | "again" | "continue";

export type Attempt = {
  /** UUID that names the attempt to the harness. */
  readonly receipt: string;
  readonly kind: AttemptKind;
  readonly harnessSessionId: string;
  readonly startedAt: number;
  /** How it was run, which says where its traces are; absent in records of earlier versions. */
  readonly runner?: Runner;
  /** The child of this attempt; null until it was spawned. */
  readonly child: ChildIdentity | null;
};

/**
 * Names a process beyond the re-use of pids: `startTime` is the kernel's start time of the process
 * as text.
 */
export type ChildIdentity = { readonly pid: number; readonly startTime: string };
