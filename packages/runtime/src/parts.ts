import type { DispatchSettings, Policy } from "@loopwork/core";
import type {
  Clock,
  CodeHost,
  HarnessId,
  Ids,
  Lock,
  NewConversation,
  OneShots,
  PostText,
  RefText,
  RunProcess,
  Sandbox,
  Store,
  Timers,
  Trust,
  Turns,
  WorkGate,
  Workspace,
} from "@loopwork/core/ports";
import type { Config } from "@loopwork/core/config";
import type { Candidate, ClassifierVerdict, Plan } from "@loopwork/core/learnings";
import type { GraphFiles } from "./graph/graph-files.ts";
import type { RepositoryNames } from "./repository-names.ts";
import type { SmallPrograms } from "./small-programs.ts";
import type { TurnFiles } from "./turn/turn-files.ts";

/** What the runtime is made of. Everything is a port, so that a test can hand in another part. */
export type RuntimeParts = {
  readonly store: Store;
  readonly locks: Lock;
  readonly host: CodeHost;
  readonly workspace: Workspace;
  readonly harnesses: Readonly<Record<HarnessId, Harness | null>>;
  /** Says whether work is complete; null where nobody asks, and every end of a turn is one. */
  readonly gate: WorkGate | null;
  /** What the process graph is read from; null for a runtime without one. */
  readonly graphFiles: GraphFiles | null;
  readonly run: RunProcess;
  readonly programs: SmallPrograms;
  readonly files: TurnFiles;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly ids: Ids;
  readonly settings: () => RuntimeSettings;
  readonly marks: Marks;
  readonly names: RepositoryNames;
  readonly redact: Redact;
  /** What people call this machine. */
  readonly machine: string;
  /** Null where nothing is learned. */
  readonly learnings: TeamLearnings | null;
  /**
   * Says something in the log of the process; facts for people go to the event log of the store
   * instead.
   */
  readonly log: (level: "info" | "warn" | "error", text: string) => void;
};

/** What sessions learn, by repository as `<host>/<owner>/<name>`. */
export type TeamLearnings = {
  /** Keeps an occurrence until it is consolidated; the same id again changes nothing. */
  keep(repository: string, candidate: Candidate): Promise<void>;
  /**
   * Takes what lies in a checkout's queue to where it outlives the checkout. `vouch` says what each
   * is worth, under the id that it gets; what nobody vouches for is kept aside, and the log says
   * so.
   */
  collect(
    repository: string,
    workdir: string,
    workItem: RefText,
    vouch: (candidate: Candidate, id: string) => Candidate | null,
  ): Promise<void>;
  /** Asks for a consolidation, which the next checkout in which a conversation begins carries. */
  ask(repository: string): Promise<void>;
  /**
   * Finishes what was cut off in a checkout, and consolidates into it where that was asked for and
   * nobody else does it now. `now` in milliseconds since 1970; `ask` about what is not sure, null
   * where nobody is asked.
   */
  bringUpToDate(
    repository: string,
    workdir: string,
    now: number,
    ask: ((unsure: Plan["unsure"]) => Promise<ReadonlyMap<string, ClassifierVerdict>>) | null,
  ): Promise<BroughtUpToDate>;
};

/**
 * What a consolidation of the service did, null where there was none; `damaged` are files of
 * candidates in the state root that could not be read and were set aside, `refused` how many of its
 * queue are no candidates. `toCommit`: files that a consolidation wrote into the checkout, this one
 * or an earlier one, and nobody committed yet.
 */
export type BroughtUpToDate = {
  readonly done: {
    readonly files: readonly string[];
    readonly plan: Plan;
    readonly damaged: readonly string[];
    readonly refused: number;
  } | null;
  readonly toCommit: readonly string[];
};

/** A harness as turns use it; `oneShots` is null where it cannot be asked by the way. */
type Harness = {
  readonly turns: Turns;
  readonly trust: Trust;
  readonly oneShots: OneShots | null;
  /** Null where the harness has none that we use. */
  readonly sandbox: Sandbox | null;
  readonly newConversation: () => Promise<NewConversation>;
  readonly isHeldElsewhere: (sessionId: string) => Promise<boolean>;
  readonly endConversation: (sessionId: string) => Promise<void>;
};

/**
 * A text without secrets: our own, and what has the shape of a token. Texts that hold none come
 * back as they are.
 */
export type Redact = (text: string) => string;

/**
 * The configuration as the runtime needs it; read anew for each event, so that a changed file takes
 * effect.
 */
export type RuntimeSettings = {
  readonly config: Config;
  readonly policy: Policy;
  readonly dispatch: DispatchSettings;
  readonly configFile: string | null;
  /** Absolute folder with one folder a turn. */
  readonly turnsDir: string;
  /** Absolute folder for files that are gone with the work they were made for. */
  readonly scratchDir: string;
  /** Absolute folder with the `loop` that children call. */
  readonly binDir: string;
  readonly workspaceRoot: string | null;
  /** Of the operator's own graphs; null for the bundled ones. */
  readonly graphFile: string | null;
  /** Absolute; artifacts of repositories whose guest we are. */
  readonly artifactsDir: string;
  /**
   * Absolute paths that sandboxed commands must not read, and those that they may read or write all
   * the same.
   */
  readonly sandbox: {
    readonly hide: readonly string[];
    readonly locked: readonly string[];
    readonly read: readonly string[];
    readonly write: readonly string[];
  };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names of the variables whose values children must not see. */
  readonly secretNames: readonly string[];
};

/** Hidden markers on what we post. */
export type Marks = {
  /**
   * The text, without secrets, with its hidden marker; `purpose` names the one thing that this post
   * does, such as `effect-12`.
   */
  readonly sign: (text: PostText, purpose: string) => PostText;
  /** The marker alone, to look for. */
  readonly marker: (purpose: string) => string;
  /** True when the text carries a marker made with our key. */
  readonly isOurs: (text: string) => boolean;
};
