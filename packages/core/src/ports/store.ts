import type { EventLine, StoredEvent } from "../audit/event-kinds.ts";
import type { StoredDelivery } from "../delivery/delivery.ts";
import type { Decision } from "../decide/decision.ts";
import type { Reason } from "../decide/reason.ts";
import type { State } from "../decide/state.ts";
import type { TurnState } from "../dispatch/turn.ts";
import type { InboundEvent } from "../normalise/event.ts";
import type { ControlRecord, ItemState, PullRequestLink, Session } from "../work-item/records.ts";
import type { Ref, RefText } from "../work-item/ref.ts";
import type { NamedRepository } from "../work-item/repository-names.ts";
import type { Inbox } from "./inbox.ts";
import type { Instances } from "./instances.ts";
import type { Lanes, Outbox } from "./lanes.ts";

/**
 * Everything durable. One contract suite, one driver a file system or server. Each method is one
 * transaction, and resolves once what it wrote would survive the loss of power, unless it says
 * otherwise; steps that are handed in are pure and synchronous and may be called again when a
 * transaction is retried.
 */
export interface Store extends Inbox {
  readonly log: DeliveryLog;
  readonly items: Items;
  readonly lanes: Lanes;
  readonly outbox: Outbox;
  readonly events: EventLog;
  readonly cursors: PollCursors;
  readonly repositories: RepositoryNames;
  readonly instances: Instances;
  /** Counts of this instance, for `status`. */
  stats(): Promise<StoreStats>;
  /**
   * What happened since then, step by step; steps in which nothing did are left out. Counts the
   * newest 50,000 deliveries and lines.
   */
  activity(query: {
    readonly since: number;
    readonly stepMs: number;
  }): Promise<readonly ActivityStep[]>;
  /**
   * Calls when somebody on another machine may have appended, as far as the driver hears of it; the
   * result ends that. Only a hint that saves waiting: whoever reads the log looks there by itself
   * now and then.
   */
  listen(call: () => void): () => void;
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
  /**
   * Writes under an older fence, or to an item that is another instance's by now, that this handle
   * refused since it was opened.
   */
  readonly lateWrites: number;
};

/**
 * One step, by the time at which it begins, milliseconds since 1970: deliveries stored and decided,
 * turns that failed or hold their lane as failed.
 */
export type ActivityStep = {
  readonly at: number;
  readonly accepted: number;
  readonly decided: number;
  readonly failed: number;
};

/** The deliveries, in the order in which they are decided. */
export interface DeliveryLog {
  /**
   * Deliveries that this instance has not decided, by `seq`; those ignored at the door are not
   * among them.
   */
  undecided(limit: number): Promise<readonly StoredDelivery[]>;
  /**
   * Raw body; null when it was never kept, its retention is over, or the disk has damaged it (then
   * a line in the event log says so).
   */
  body(seq: number): Promise<Uint8Array | null>;
  find(deliveryId: string): Promise<StoredDelivery | null>;
  /** By `seq`, upwards unless `newestFirst`. */
  list(query: LogQuery): Promise<readonly DeliveryEntry[]>;
  /** Delivery that was decided under this semantic key; null when none was. */
  seenAs(key: string): Promise<string | null>;
  /**
   * The transaction of a decision: marks the delivery decided with its facts, folds the state,
   * appends turns to lanes, effects to the outbox and lines to the event log. `decide` is called
   * with the state as it is in the transaction. Resolves to null, and changes nothing, when the
   * delivery was decided before. Rejects, and changes nothing, with the code
   * `LOOP_E_STORE_SEEN_BEFORE` when effects would follow from a semantic key that another delivery
   * has had. `left`: the numbers of those before this one that stay undecided because they wait.
   * Null, changing nothing, when another undecided delivery stands before it: adopting its work
   * item gave that one back meanwhile, also one that was turned away a moment ago, and it goes
   * first. A driver may resolve before the decision is durable, and hands out nothing that follows
   * from it before it is (`Lanes.take`, `Outbox.due`): one that is lost with the power was never
   * acted on, and is made again from its delivery.
   */
  decide(
    seq: number,
    workItem: RefText | null,
    decide: (item: ItemState) => Decided,
    left?: readonly number[],
  ): Promise<Decided | null>;
  /** Of this instance, or of another one of the store: each decides for itself. */
  decision(deliveryId: string, by?: string): Promise<DecisionRow | null>;
  /**
   * Drops bodies of decided deliveries received before `time` (milliseconds since 1970); ids and
   * digests stay.
   */
  forgetBodies(time: number): Promise<number>;
}

/**
 * `beforeSeq`: only what came before it. `refused`: only requests that this instance refused for
 * one of these reasons; not together with `workItem`.
 */
export type LogQuery = {
  readonly afterSeq?: number;
  readonly beforeSeq?: number;
  readonly limit: number;
  readonly newestFirst?: boolean;
} & (
  | { readonly workItem?: RefText; readonly refused?: undefined }
  | { readonly refused: readonly Reason[]; readonly workItem?: undefined }
);

export type DeliveryEntry = StoredDelivery & {
  readonly decision: {
    readonly verdict: string;
    readonly reason: string;
    readonly workItem: RefText | null;
  } | null;
  readonly ignored: string | null;
};

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

export type DecisionRow = {
  readonly delivery: StoredDelivery;
  readonly workItem: RefText | null;
  readonly event: InboundEvent | null;
  readonly state: State | null;
  readonly decision: Decision;
  readonly decidedAt: number;
};

/**
 * `after` is the last ref of the page before; `held`: whether a lane of it has a hold. `only` what
 * waits (a lane has a hold, its closing is deferred, or an open session asked something), or what
 * is managed (it has a session, or somebody asked something of it): also where nothing but that is
 * remembered.
 */
export type ItemQuery = {
  readonly after: string | null;
  readonly limit: number;
  readonly status?: ControlRecord["status"];
  readonly held?: boolean;
  readonly only?: "waiting" | "managed";
};

/** States of work items, each loaded and saved whole. */
export interface Items {
  load(ref: RefText): Promise<ItemState>;
  /** Loads, lets `step` fold, saves, and appends the lines, in one transaction. */
  update(
    ref: RefText,
    step: (item: ItemState) => { readonly after: ItemState; readonly lines: readonly EventLine[] },
  ): Promise<ItemState>;
  /**
   * The same for what this instance does by itself. Null, changing nothing and counted as a late
   * write, when another instance has the item by now, or another life of this one began since. It
   * has it when it was asked for the item, or has its lanes where nobody was.
   */
  updateOwn(
    ref: RefText,
    step: (item: ItemState) => { readonly after: ItemState; readonly lines: readonly EventLine[] },
  ): Promise<ItemState | null>;
  list(): Promise<readonly ItemState[]>;
  /** The next `limit` of those of which something is remembered, in the order of refs, that fit. */
  page(query: ItemQuery): Promise<readonly ItemState[]>;
  /**
   * Whether anything of the repository is on record: a work item of which something is remembered,
   * a session, a pull request of one.
   */
  knowsRepository(repository: Pick<Ref, "host" | "owner" | "repo">): Promise<boolean>;
  /** Work items against which the pull request was recorded, oldest record first. */
  linkedTo(pullRequest: RefText): Promise<readonly RefText[]>;
  /** Recorded pull requests whose head is this commit. */
  linksBySha(
    headSha: string,
  ): Promise<readonly { readonly workItem: RefText; readonly link: PullRequestLink }[]>;
  /** Work item whose session has this endpoint; null when none has. */
  ownerOfEndpoint(endpoint: RefText): Promise<RefText | null>;
  sessionByHarnessId(harnessSessionId: string): Promise<Session | null>;
  /** Id to which the account's name is pinned. */
  pinnedActor(name: string): Promise<string | null>;
  /** Names that are pinned to the id. */
  pinnedTo(id: string): Promise<readonly string[]>;
  /** Pins the name unless it is pinned already; resolves to the id that it has then. */
  pinActor(pin: { readonly login: string; readonly id: string }): Promise<string>;
  /**
   * Forgets that number and appends the lines, so that the login's next event pins anew; false,
   * changing nothing, when none was pinned.
   */
  unpinActor(login: string, lines: readonly EventLine[]): Promise<boolean>;
}

/** Names of repositories by the host's id. */
export interface RepositoryNames {
  /** Every repository that was seen, by host and id. */
  list(): Promise<readonly NamedRepository[]>;
  /**
   * Lets `step` say which are new or different, and appends the lines, in one transaction; resolves
   * to the list after it.
   */
  update(
    step: (rows: readonly NamedRepository[]) => {
      readonly write: readonly NamedRepository[];
      readonly lines: readonly EventLine[];
    },
  ): Promise<readonly NamedRepository[]>;
}

/** How far the poller has read, one instance's own; text that only the poller understands. */
export interface PollCursors {
  /** What was put last under this name for the repository; null when nothing was. */
  get(repository: string, resource: string): Promise<string | null>;
  /** Writes all of them in one transaction. */
  put(repository: string, records: Readonly<Record<string, string>>): Promise<void>;
  /** Of every repository, by name. */
  list(
    resource: string,
  ): Promise<readonly { readonly repository: string; readonly record: string }[]>;
}

export interface EventLog {
  append(lines: readonly EventLine[]): Promise<void>;
  /** By id, upwards unless `newestFirst`. */
  list(query: EventQuery): Promise<readonly StoredEvent[]>;
  /** Drops lines older than `time` (milliseconds since 1970); resolves to their number. */
  forget(time: number): Promise<number>;
}

export type EventQuery = {
  readonly afterId?: number;
  /** Only lines with a smaller id. */ readonly beforeId?: number;
  readonly since?: number;
  readonly kind?: string;
  readonly workItem?: RefText;
  readonly delivery?: string;
  /** Id of a comment that a line names among its fields. */ readonly comment?: string;
  readonly limit: number;
  readonly newestFirst?: boolean;
};

/** `name` of the instance that decides; every decision row and cursor belongs to one. */
export type StoreOptions = { readonly instance: string; readonly now: () => number };
