import type { EventLine } from "../event-log/event-line.ts";
import type { Attempt, AttemptKind, Turn, TurnState } from "../turn/turn.ts";
import type { ItemState } from "../work-item/records.ts";
import type { RefText } from "../ref/ref.ts";
import type { OutboxEffect, OutboxEntry, PendingEffect } from "../turn/outbox-entry.ts";
import type { MergeTurns } from "../turn/coalesce.ts";

/** Lanes and their turns. Time is handed in, in milliseconds since 1970. */
export interface Lanes {
  /**
   * Takes the first lane, in order of its oldest ready turn, that is open (or whose hold has run
   * out), not leased, and whose head `merge` lets go. Head = the oldest turn neither done, failed
   * nor dropped; a lane whose head is injecting or uncertain is not taken. Ready turns behind the
   * head are shown to `merge`; those it names are folded into the head, their inputs kept in order.
   * A lane whose session works in a directory in which another lane is at work is not taken. A hold
   * that has run out is gone once the lane is taken.
   */
  take(request: {
    readonly owner: string;
    readonly now: number;
    readonly leaseMs: number;
    readonly merge: MergeTurns;
  }): Promise<TakenLane | null>;
  /**
   * When the next lane could be taken, milliseconds since 1970; null when nothing waits for time.
   * `merge` as in `take`.
   */
  wakeAt(now: number, merge: MergeTurns): Promise<number | null>;
  renew(lease: Lease, now: number, leaseMs: number): Promise<boolean>;
  /**
   * Writes the attempt that is about to be made and appends the lines, in one transaction; turn
   * becomes `injecting`. The same attempt again (equal receipt and `startedAt`) only adds its
   * child. False when the fence is no longer ours, when the turn was dropped meanwhile, or when a
   * new attempt meets a lane that was held since it was taken: a pause that came while the checkout
   * was made.
   */
  begin(
    lease: Lease,
    turn: number,
    attempt: Attempt,
    lines: readonly EventLine[],
  ): Promise<boolean>;
  /**
   * Ends the attempt and moves the turn on; frees the lease. False, changing nothing, when the
   * fence is no longer ours.
   */
  settle(lease: Lease, turn: number, settled: Settled): Promise<boolean>;
  /**
   * Takes over lanes whose turn is injecting and whose lease has run out or belongs to `owner`'s
   * earlier life (a lease of that owner which this handle did not give). Leases of that earlier
   * life on lanes with nothing under way are freed.
   */
  orphans(request: {
    readonly owner: string;
    readonly now: number;
    readonly leaseMs: number;
  }): Promise<readonly TakenLane[]>;
  release(lease: Lease): Promise<void>;
  /**
   * The newest `limit` turns, of those with an id under `beforeId` if it is given; oldest of them
   * first.
   */
  turns(query: {
    readonly beforeId?: number;
    readonly lane?: RefText;
    readonly workItem?: RefText;
    readonly states?: readonly TurnState[];
    readonly limit: number;
  }): Promise<readonly Turn[]>;
  turn(id: number): Promise<Turn | null>;
  /**
   * A person decides about an uncertain or failed turn, or drops a ready one. `retry` counts
   * attempts anew. A hold of the lane for `uncertain` (once no uncertain turn is left) or `failed`
   * is lifted. False when the turn is in no such state.
   */
  resolve(
    turn: number,
    how: "retry" | "drop",
    note: string,
    lines: readonly EventLine[],
  ): Promise<boolean>;
}

/**
 * The right to run one lane. `fence` grows with every taking; a write under an older fence is
 * refused.
 */
export type Lease = { readonly lane: RefText; readonly owner: string; readonly fence: number };
export type TakenLane = { readonly lease: Lease; readonly turn: Turn; readonly item: ItemState };

export type Settled = {
  readonly state: TurnState;
  readonly note: string | null;
  /** For `ready`: how and when it goes on. */
  readonly next: AttemptKind;
  readonly notBefore: number;
  /** Folds what happened into the state of the work item, in the same transaction. */
  readonly fold: (item: ItemState) => ItemState;
  /** Go into the outbox in the same transaction, under the delivery of the turn's first input. */
  readonly effects: readonly OutboxEffect[];
  readonly lines: readonly EventLine[];
};

/**
 * Effects that are not turns: each is carried out at least once and its handler makes it at most
 * once visible.
 */
export interface Outbox {
  /**
   * Pending effects whose time has come, oldest first; of one work item none overtakes another,
   * with one exception: an end (`end-session`, `release`) does not wait for a post (`react`,
   * `reply`), so that a host that is away never delays a stop. And while the first end has failed
   * and is tried again, posts of other deliveries pass by the ends and the posts that wait for
   * those.
   */
  due(now: number, limit: number): Promise<readonly OutboxEntry[]>;
  /** What is pending, oldest first, whether its time has come or not. */
  pending(query: {
    readonly workItem?: RefText;
    readonly limit: number;
  }): Promise<readonly PendingEffect[]>;
  /**
   * False, changing nothing, when the effect is no longer pending, is another instance's by now, or
   * another life of this one began since. `tried`: that was an attempt, or else it only waits
   * longer. Who is about to do what must not happen twice asks by this first.
   */
  settle(
    id: number,
    result:
      | { readonly state: "done" | "failed"; readonly note: string }
      | {
          readonly state: "pending";
          readonly notBefore: number;
          readonly note: string;
          readonly tried: boolean;
        },
    fold: ((item: ItemState) => ItemState) | null,
    lines: readonly EventLine[],
  ): Promise<boolean>;
}
