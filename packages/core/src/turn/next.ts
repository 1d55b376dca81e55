import type { EventLine } from "../event-log/event-line.ts";
import type { Message } from "../message/message.ts";
import type { ReceiptEvidence } from "./outcome.ts";
import type { HarnessId } from "../config/harness.ts";
import type { Hold } from "../work-item/records.ts";
import type { AttemptKind, TurnState } from "./turn.ts";

/** How a turn goes on after an attempt. The same keys whatever happened. */
export type NextStep = {
  readonly turn: {
    readonly state: Exclude<TurnState, "injecting">;
    /** Kind of the next attempt; only meaningful when `ready`. */
    readonly next: AttemptKind;
    /**
     * Always 0: delays are holds of the lane, which `resume` can end. The key stands here because
     * the store asks for it.
     */
    readonly notBefore: number;
    /** One sentence; null when done. */
    readonly note: string | null;
  };
  /**
   * What the lane's hold becomes, the present one where that outranks what was found; null leaves
   * it as it is.
   */
  readonly hold: Hold | null;
  /**
   * Every lane of this harness is held, with one notice: its login, its bill or its program is
   * missing.
   */
  readonly harnessHold: Hold | null;
  /**
   * The conversation is lost or full: the next attempt opens a new one, seeded from the work item.
   */
  readonly newSession: boolean;
  /**
   * What was learned about the conversation: it exists (later attempts resume), it does not, or
   * nothing.
   */
  readonly sessionBegun: boolean | null;
  readonly spend: { readonly usd: number; readonly minutes: number };
  /** What the work item's thread is told, once; null for nothing. */
  readonly notice: Message | null;
  /** Lines for the event log; the shell adds time, instance, work item and delivery. */
  readonly lines: readonly LineDraft[];
};

export type LineDraft = Pick<EventLine, "kind" | "level" | "reason" | "fields">;

/** What the shell knows about the lane and the attempt beside its outcome. */
export type LaneFacts = {
  readonly harness: HarnessId;
  /** Before this attempt the conversation had begun. */
  readonly sessionBegun: boolean;
  /** Present hold of the lane. */
  readonly hold: Hold | null;
  /** The session was asked to end (stop, cleanup, closing): nothing of it is tried again. */
  readonly closing: boolean;
  /**
   * What transcript and ledger say of the receipt; read first when `needsEvidence` says so, null
   * when not read.
   */
  readonly evidence: ReceiptEvidence | null;
  /**
   * Failed tries in a row that count toward giving up, this one included, when the shell counts
   * them; all attempts of the turn else.
   */
  readonly tries?: number;
};
