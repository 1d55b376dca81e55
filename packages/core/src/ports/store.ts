import type { EventLine, StoredEvent } from "../audit/event-kinds.ts";
import type { StoredDelivery } from "../delivery/delivery.ts";
import type { Decision } from "../decide/decision.ts";
import type { Effect } from "../decide/effect.ts";
import type { State } from "../decide/state.ts";
import type { Attempt, AttemptKind, Turn, TurnState } from "../dispatch/turn.ts";
import type { InboundEvent } from "../normalise/event.ts";
import type { ItemState, PullRequestLink, Session } from "../work-item/records.ts";
import type { RefText } from "../work-item/ref.ts";
import type { Inbox } from "./inbox.ts";

/**
 * Everything durable. One contract suite, one driver a file system or server. Each method is one transaction;
 * steps that are handed in are pure and synchronous and may be called again when a transaction is retried.
 */
export interface Store extends Inbox {
  readonly log: DeliveryLog;
  readonly items: Items;
  readonly lanes: Lanes;
  readonly outbox: Outbox;
  readonly events: EventLog;
  readonly cursors: PollCursors;
  /** Counts for `status`. */
  stats(): Promise<StoreStats>;
  /** Lets what was appended be stored, then gives up the storage. Later calls reject. */
  close(): Promise<void>;
}

export type StoreStats = {
  readonly undecided: number;
  readonly turns: Readonly<Record<TurnState, number>>;
  /** Lanes that wait for somebody or for a time to pass. */
  readonly lanesHeld: number;
  readonly lanesLeased: number;
  readonly pendingEffects: number;
  /** Writes under an older fence that this handle refused since it was opened (S09). */
  readonly lateWrites: number;
};

/** The deliveries, in the order in which they are decided. */
export interface DeliveryLog {
  /** Deliveries that this instance has not decided, by `seq`; those ignored at the door are not among them. */
  undecided(limit: number): Promise<readonly StoredDelivery[]>;
  /** Raw body; null when it was never kept, its retention is over, or the disk has damaged it (then a line in the event log says so). */
  body(seq: number): Promise<Uint8Array | null>;
  find(deliveryId: string): Promise<StoredDelivery | null>;
  /** By `seq`, upwards unless `newestFirst`. */
  list(query: { readonly afterSeq?: number; readonly limit: number; readonly workItem?: RefText; readonly newestFirst?: boolean }): Promise<readonly DeliveryEntry[]>;
  /** Delivery that was decided under this semantic key; null when none was. */
  seenAs(key: string): Promise<string | null>;
  /**
   * The transaction of a decision: marks the delivery decided with its facts, folds the state, appends turns to lanes,
   * effects to the outbox and lines to the event log. `decide` is called with the state as it is in the transaction.
   * Resolves to null, and changes nothing, when the delivery was decided before. Rejects, and changes nothing, with the code
   * `LOOP_E_STORE_SEEN_BEFORE` when effects would follow from a semantic key that another delivery has had.
   */
  decide(seq: number, workItem: RefText | null, decide: (item: ItemState) => Decided): Promise<Decided | null>;
  decision(deliveryId: string): Promise<DecisionRow | null>;
  /** Undecided deliveries, and bytes of all kept bodies. */
  backlog(): Promise<{ readonly undecided: number; readonly bodyBytes: number }>;
  /** Drops bodies of decided deliveries received before `time` (milliseconds since 1970); ids and digests stay. */
  forgetBodies(time: number): Promise<number>;
}

export type DeliveryEntry = StoredDelivery & { readonly decision: { readonly verdict: string; readonly reason: string; readonly workItem: RefText | null } | null; readonly ignored: string | null };

/** What a decision writes. `event` and `state` are the facts that `why` and `replay` need. */
export type Decided = {
  readonly event: InboundEvent | null;
  readonly state: State | null;
  readonly decision: Decision;
  /** The state after the decision; null when no work item is concerned. */
  readonly after: ItemState | null;
  /** Semantic key, unique per instance; null for what has none. */
  readonly key: string | null;
  readonly lines: readonly EventLine[];
  /** Pins an actor's login to the numeric id on first sight. */
  readonly pin: { readonly login: string; readonly id: string } | null;
};

export type DecisionRow = { readonly delivery: StoredDelivery; readonly workItem: RefText | null; readonly event: InboundEvent | null; readonly state: State | null; readonly decision: Decision; readonly decidedAt: number };

/** States of work items, each loaded and saved whole. */
export interface Items {
  load(ref: RefText): Promise<ItemState>;
  /** Loads, lets `step` fold, saves, and appends the lines, in one transaction. */
  update(ref: RefText, step: (item: ItemState) => { readonly after: ItemState; readonly lines: readonly EventLine[] }): Promise<ItemState>;
  list(): Promise<readonly ItemState[]>;
  /** Work items against which the pull request was recorded, oldest record first. */
  linkedTo(pullRequest: RefText): Promise<readonly RefText[]>;
  /** Recorded pull requests whose head is this commit. */
  linksBySha(headSha: string): Promise<readonly { readonly workItem: RefText; readonly link: PullRequestLink }[]>;
  /** Work item whose session has this endpoint; null when none has. */
  ownerOfEndpoint(endpoint: RefText): Promise<RefText | null>;
  sessionByHarnessId(harnessSessionId: string): Promise<Session | null>;
  /** Numeric id that the login was pinned to; the login compares without case. */
  pinnedActor(login: string): Promise<string | null>;
}

/** Lanes and their turns. Time is handed in, in milliseconds since 1970. */
export interface Lanes {
  /**
   * Takes the first lane, in order of its oldest ready turn, that is open (or whose hold has run out), not leased, and whose
   * head `merge` lets go. Head = the oldest turn neither done, failed nor dropped; a lane whose head is injecting or uncertain
   * is not taken. Ready turns behind the head are shown to `merge`; those it names are folded into the head, their inputs kept in order.
   * A lane whose session works in a directory in which another lane is at work is not taken. A hold that has run out is gone once the lane is taken.
   */
  take(request: { readonly owner: string; readonly now: number; readonly leaseMs: number; readonly merge: MergeTurns }): Promise<TakenLane | null>;
  /** When the next lane could be taken, milliseconds since 1970; null when nothing waits for time. `merge` as in `take`. */
  wakeAt(now: number, merge: MergeTurns): Promise<number | null>;
  renew(lease: Lease, now: number, leaseMs: number): Promise<boolean>;
  /**
   * Writes the attempt that is about to be made; turn becomes `injecting`. The same attempt again (equal receipt and `startedAt`)
   * only adds its child. False when the fence is no longer ours, or when the turn was dropped meanwhile.
   */
  begin(lease: Lease, turn: number, attempt: Attempt): Promise<boolean>;
  /** Ends the attempt and moves the turn on; frees the lease. False, changing nothing, when the fence is no longer ours. */
  settle(lease: Lease, turn: number, settled: Settled): Promise<boolean>;
  /**
   * Takes over lanes whose turn is injecting and whose lease has run out or belongs to `owner`'s earlier life (a lease of that
   * owner which this handle did not give). Leases of that earlier life on lanes with nothing under way are freed.
   */
  orphans(request: { readonly owner: string; readonly now: number; readonly leaseMs: number }): Promise<readonly TakenLane[]>;
  release(lease: Lease): Promise<void>;
  /** The newest `limit` turns, oldest of them first. */
  turns(query: { readonly lane?: RefText; readonly workItem?: RefText; readonly states?: readonly TurnState[]; readonly limit: number }): Promise<readonly Turn[]>;
  turn(id: number): Promise<Turn | null>;
  /**
   * A person decides about an uncertain or failed turn, or drops a ready one. `retry` counts attempts anew. A hold of the lane
   * for `uncertain` (once no uncertain turn is left) or `failed` is lifted. False when the turn is in no such state.
   */
  resolve(turn: number, how: "retry" | "drop", note: string, lines: readonly EventLine[]): Promise<boolean>;
}

/** Pure: which of the waiting turns go together now, or until when the head waits. `waiting[0]` is the head. */
export type MergeTurns = (waiting: readonly Turn[], now: number) => { readonly kind: "go"; readonly merge: readonly number[] } | { readonly kind: "wait"; readonly until: number };

/** The right to run one lane. `fence` grows with every taking; a write under an older fence is refused. */
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

/** Effects that are not turns: each is carried out at least once and its handler makes it at most once visible. */
export interface Outbox {
  /**
   * Pending effects whose time has come, oldest first; of one work item none overtakes another, with one exception: an end
   * (`end-session`, `release`) does not wait for a post (`react`, `reply`), so that a host that is away never delays a stop.
   */
  due(now: number, limit: number): Promise<readonly OutboxEntry[]>;
  /** Changes nothing when the effect is no longer pending. */
  settle(id: number, result: { readonly state: "done" | "failed"; readonly note: string } | { readonly state: "pending"; readonly notBefore: number; readonly note: string }, fold: ((item: ItemState) => ItemState) | null, lines: readonly EventLine[]): Promise<void>;
}

export type OutboxEntry = { readonly id: number; readonly workItem: RefText; readonly deliveryId: string; readonly effect: OutboxEffect; readonly attempts: number; readonly createdAt: number };
export type OutboxEffect = Exclude<Effect, { readonly kind: "turn" | "drop-turns" }>;

/** How far the poller has read, one instance's own; text that only the poller understands (decisions.md 6, poll_cursor). */
export interface PollCursors {
  /** What was put last under this name for the repository; null when nothing was. */
  get(repository: string, resource: string): Promise<string | null>;
  /** Writes all of them in one transaction. */
  put(repository: string, records: Readonly<Record<string, string>>): Promise<void>;
  /** Of every repository, by name. */
  list(resource: string): Promise<readonly { readonly repository: string; readonly record: string }[]>;
}

export interface EventLog {
  append(lines: readonly EventLine[]): Promise<void>;
  /** By id, upwards unless `newestFirst`. */
  list(query: EventQuery): Promise<readonly StoredEvent[]>;
  /** Drops lines older than `time` (milliseconds since 1970; decisions.md 2, eventsDays); resolves to their number. */
  forget(time: number): Promise<number>;
}

export type EventQuery = { readonly afterId?: number; readonly since?: number; readonly kind?: string; readonly workItem?: RefText; readonly delivery?: string; readonly limit: number; readonly newestFirst?: boolean };

/** `name` of the instance that decides; every decision row and cursor belongs to one. */
export type StoreOptions = { readonly instance: string; readonly now: () => number };

export type { AttemptKind };
