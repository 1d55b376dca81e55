import type { ControlRequest, Policy, UnownedStart, Waiting } from "@loopwork/core";
import type {
  Clock,
  DeliveryLog,
  EventLog,
  HarnessId,
  Items,
  Lanes,
  Ref,
  RefText,
  Store,
  TranscriptEntry,
  TurnState,
} from "@loopwork/core/ports";
import type { Learning } from "@loopwork/core/learnings";

/**
 * What the control plane reads and asks for. The service gives it its own parts; an application
 * that embeds it may give others.
 */
export type ControlPlanePorts = {
  readonly clock: Clock;
  readonly records: Records;
  /** The policy in force, read anew for each request. */
  readonly policy: () => Policy;
  readonly health: () => Promise<Health>;
  /** What waits, what needs a person first; core's `waitingOf` over the records will do. */
  readonly waiting: () => Promise<readonly Waiting[]>;
  /** Starts that were left to other instances and that nobody may have taken, newest first. */
  readonly unownedStarts: () => Promise<readonly UnownedStart[]>;
  readonly steering: Steering;
  /** Schedules the restart of all services; again while one is scheduled answers the same. */
  readonly restart: (withUpgrade: boolean) => Promise<ScheduledRestart>;
  /** The reasoning about a delivery; null when none has this id. */
  readonly why: (deliveryId: string) => Promise<Why | null>;
  /**
   * Decides recorded deliveries anew, under the configuration in force or under `config`, YAML
   * text. Changes nothing.
   */
  readonly replay: (since: number, config: string | null) => Promise<Replay>;
  /**
   * The conversation of a session as people read it; null where its harness keeps none that can be
   * read.
   */
  readonly transcript: (session: SessionName) => Promise<readonly TranscriptEntry[] | null>;
  /**
   * The learnings of the repository that a checkout is of, by id; null where no checkout is there
   * any more. Rejects with a `LoopError` for files that do not parse.
   */
  readonly learnings: (workdir: string) => Promise<readonly Learning[] | null>;
};

/** What is on record; each part of a `Store` will do. */
export type Records = {
  readonly log: Pick<DeliveryLog, "list" | "find">;
  readonly items: Pick<Items, "load" | "page">;
  readonly lanes: Pick<Lanes, "turns">;
  readonly events: Pick<EventLog, "list">;
  readonly activity: Store["activity"];
};

/** What people ask for. Each rejects with a `LoopError` that says what to do. */
export type Steering = {
  /** A written ref under the name by which its repository is known here. */
  ref(text: string): Promise<Ref>;
  /** The same, or a bare number in the work item's own repository. */
  pullRequest(text: string, workItem: Ref): Promise<Ref>;
  /** Enters a control delivery and waits a while for what becomes of it. */
  control(target: Ref, request: ControlRequest): Promise<Sent>;
  register(session: {
    readonly endpoint: Ref;
    readonly harness: HarnessId;
    readonly harnessSessionId: string;
    readonly workdir: string;
  }): Promise<{
    readonly workItem: RefText;
    readonly endpoint: RefText;
    readonly harness: HarnessId;
    readonly harnessSessionId: string;
  }>;
  linkPullRequest(
    workItem: Ref,
    pullRequest: Ref,
  ): Promise<{
    readonly workItem: RefText;
    readonly pullRequest: RefText;
    readonly recorded: boolean;
  }>;
  closeSession(endpoint: Ref): Promise<{ readonly closed: boolean; readonly endpoint: RefText }>;
  resolveTurn(
    id: number,
    how: "retry" | "drop",
  ): Promise<{ readonly turn: number; readonly state: TurnState; readonly resolved: boolean }>;
};

/** What `GET /api/v1/health` answers. */
export type Health = {
  readonly status: "ok" | "degraded";
  readonly version: string;
  readonly configFile: string | null;
  readonly stateRoot: string;
  readonly services: readonly {
    readonly name: string;
    readonly enabled: boolean;
    readonly running: boolean;
    readonly detail: string;
  }[];
};

/** What became of a control delivery so far: `stored` waits to be decided, and is not lost. */
export type Sent = {
  readonly workItem: RefText;
  readonly delivery: string;
  readonly state: "done" | "refused" | "stored";
  readonly reason: string | null;
  /** The reason in one sentence, and what to do where something is to be done. */
  readonly sentence: string | null;
  readonly remedy: string | null;
  /** Whether a process dispatches; where none does, the request waits for the next one. */
  readonly dispatching: boolean;
};

/** `log` is the file in which the restart says what it does. */
export type ScheduledRestart = { readonly scheduled: boolean; readonly log: string };

export type Why = {
  readonly delivery: string;
  readonly event: string;
  readonly receivedAt: number;
  readonly state: "decided" | "ignored" | "waiting";
  readonly workItem: RefText | null;
  readonly verdict: string | null;
  readonly reason: string | null;
  readonly decidedAt: number | null;
  /** Name of the check that it is about, as its author chose it; null for every other event. */
  readonly check: string | null;
  readonly sentences: readonly string[];
};

export type Replay = {
  readonly decided: number;
  readonly same: number;
  readonly undecided: number;
  readonly changed: readonly {
    readonly delivery: string;
    readonly workItem: RefText | null;
    readonly before: string;
    readonly after: string;
    readonly sentence: string;
  }[];
  readonly unknown: readonly {
    readonly delivery: string;
    readonly workItem: RefText | null;
    readonly before: string;
    readonly sentence: string;
  }[];
};

export type SessionName = {
  readonly harness: HarnessId;
  readonly harnessSessionId: string;
  readonly workdir: string | null;
};
