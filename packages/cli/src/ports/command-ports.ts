import type { Policy, SandboxDecision } from "@loopwork/core";
import type {
  Clock,
  CodeHost,
  HarnessProbe,
  Hooks,
  Ids,
  Lock,
  LoopError,
  OneShots,
  PostText,
  PromptText,
  Ref,
  Salvage,
  Session,
  Store,
  Turns,
  WorkGate,
  Workspace,
} from "@loopwork/core/ports";
import type { Candidate, Learning } from "@loopwork/core/learnings";
import type { CodeHostClient, HostSetup, ShownItem } from "./code-host.ts";
import type { Ask, Consolidation, Queue } from "./learnings-reports.ts";
import type { BackedUp, Checked, Migrated, Records } from "./store-reports.ts";
import type { LoadedConfig } from "../configuration/load-config.ts";
import type { FoundConfig } from "../configuration/open-config.ts";
import type { LookingConfig } from "../configuration/remembered-config.ts";
import type { DaemonKind } from "../detach/pidfile.ts";
import type { ServiceReport } from "../detach/service-report.ts";
import type { ServicePlan } from "../detach/services.ts";
import type { Io } from "../io/io.ts";
import type { Looking } from "@loopwork/runtime/graph";

/** All that a command may reach; made in start/connect.ts, each part on first use. */
export interface Ports {
  readonly io: Io;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The configuration in force; rejects with the list of its errors. */
  config(): Promise<LoadedConfig>;
  /** The file in force, and each that isn't used as it stands; said once on standard error. */
  configPlaces(): Promise<FoundConfig>;
  /**
   * As `config`, for what runs a service: rejects with `LOOP_E_CONFIG_UNTRUSTED` where a file isn't
   * used as it stands.
   */
  settledConfig(): Promise<LoadedConfig>;
  policy(): Promise<Policy>;
  /**
   * Whether the configuration could name a process graph, from a look at its text that costs next
   * to nothing; null where there is no configuration.
   */
  mentionsGraph(): Promise<boolean | null>;
  store(): Promise<Store>;
  /**
   * What the service recorded, for reading only. Its configuration is the one found without
   * `--config`, else the one that is named there.
   */
  records(): Promise<{ readonly service: LoadedConfig; readonly store: Store }>;
  /** What `records` has of work items, for what must start fast. */
  recordStore(): Promise<Records>;
  /** What of the configuration looking where work stands needs, perhaps as it was remembered. */
  looking(): Promise<LookingConfig>;
  /** The store as a whole: moved, copied, looked through. */
  storeCare(): Promise<StoreCare>;
  locks(): Promise<Lock>;
  /** What releases of checkouts saved. */
  salvage(): Promise<Salvage>;
  /** Looks at checkouts, whatever a session left there. */
  readonly checkouts: Looking;
  /** A checkout without what an agent takes orders from; see the port. */
  copyOf: Workspace["copyOf"];
  /**
   * Why spawning would refuse the folder that sessions share where there is no root of checkouts;
   * null when it would not.
   */
  refusalOfWorkdir(): Promise<LoopError | null>;
  /** Tells a dispatcher of another process that something was stored, so that it looks at once. */
  wake(): Promise<void>;
  codeHost(): Promise<CodeHostClient>;
  /**
   * An item as the host shows it now; null when it has none, or the token may not see it. Rejects
   * with `CodeHostError`.
   */
  shownItem(ref: Ref): Promise<ShownItem | null>;
  /**
   * The code host as a configuration says how to reach it: one that is loaded, one that was just
   * written, or null for the defaults.
   */
  hostOf(config: LoadedConfig | { readonly written: string } | null): Promise<{
    readonly loaded: LoadedConfig;
    readonly host: CodeHost;
    readonly setup: HostSetup;
    readonly store: () => Promise<Store>;
  }>;
  /**
   * Text of one marked comment of ours, without secrets: the marker makes it recognisable as our
   * own.
   */
  mark(text: PostText, purpose: string): Promise<PostText>;
  /** Says whether a work item's work is complete. */
  gate(): Promise<WorkGate>;
  harness(id: "A" | "B"): Promise<HarnessParts>;
  /** Terminals of sessions (`routing.runner: tmux`). */
  terminals(): Promise<SessionTerminals>;
  services(): Promise<Services>;
  /** Learnings of the repository that the working directory lies in. */
  learnings(): Promise<RepositoryLearnings>;
  /** Asks that what was learned in a repository, named as `host/owner/name`, be consolidated. */
  askForConsolidation(repository: string): Promise<void>;
  /**
   * What a session that works in a folder is told at its start; null where there is nothing to
   * tell. It reads no configuration.
   */
  notes(folder: string): Promise<Injection | null>;
  /** Which daemons the configuration enables, and how this very `loop` is run. */
  servicePlan(): Promise<Pick<ServicePlan, "self" | "kinds">>;
  /**
   * The turn in which this process runs, as its variables or those of a process above tell; null
   * where none does.
   */
  turn(): InsideTurn | null;
  /**
   * Whether this process runs in the sandbox of a turn, where neither the configuration nor the
   * records can be read.
   */
  isSandboxed(): boolean;
  /** Bearer token of the control plane; null before the service has ever started. */
  controlToken(): Promise<string | null>;
  /** Opens an address in the user's browser; false where there is none. */
  openPage(url: string): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * `sandbox`: whether agents of new work items run in one; null where the harness has none that we
 * use.
 */
export type HarnessParts = {
  readonly turns: Turns;
  readonly sandbox: () => Promise<SandboxDecision | null>;
  readonly hooks: Hooks;
  readonly oneShots: OneShots;
  readonly probe: () => Promise<HarnessProbe>;
  readonly endConversation: (sessionId: string) => Promise<void>;
  readonly isHeldElsewhere: (sessionId: string) => Promise<boolean>;
};

/**
 * What is done with a store as a whole. A store is named by its URL or as `env:NAME`; null is the
 * configured one. Rejects with `StoreError`.
 */
export interface StoreCare {
  migrate(
    from: string | null,
    to: string,
    options: {
      readonly leaveDamaged: boolean;
      readonly startOver: boolean;
      readonly instance: string | null;
    },
  ): Promise<Migrated>;
  backup(from: string | null, file: string): Promise<BackedUp>;
  check(url: string | null): Promise<Checked>;
}

/** Where people sit down in front of a session. */
export interface SessionTerminals {
  /** The harness runs in the session's terminal. */
  isOpen(session: Session): Promise<boolean>;
  /**
   * Lets it run there, without a message. Rejects with `LOOP_E_TERMINAL` or `LOOP_E_TMUX_MISSING`.
   */
  open(session: Session & { readonly workdir: string }): Promise<void>;
  /**
   * Gives this process's terminal to the session's; resolves to an exit code when the person has
   * left.
   */
  attach(session: Session, readOnly: boolean): Promise<number>;
}

/** Notes for a session, with the hash of what they say. */
export type Injection = { readonly hash: string; readonly text: PromptText };

/** What a repository's sessions learned: its files, and the candidates that wait. */
export interface RepositoryLearnings {
  /** Absolute path of the work tree. */
  readonly root: string;
  /** Puts a candidate into the checkout's queue; resolves to its file. */
  capture(candidate: Candidate): Promise<string>;
  /** Collects what the checkout's queue holds, and shows all that waits. */
  pending(): Promise<Queue>;
  /**
   * What consolidating would do; `ask` about what is not sure, null where nobody is asked. It
   * changes nothing in the repository but what was cut off before.
   */
  plan(now: number, ask: Ask | null): Promise<Consolidation>;
  /** Plans that and carries it out, in one step that nobody comes between. */
  consolidate(now: number, ask: Ask | null): Promise<Consolidation>;
  /** Takes the last consolidation back; resolves to the paths of the files. */
  undo(): Promise<readonly string[]>;
  /** What a session is told at its start; null where nothing was learned. */
  injection(): Promise<Injection | null>;
  /** Every learning there ever was. */
  all(): Promise<readonly Learning[]>;
}

/** The detached processes of this configuration. */
export interface Services {
  start(): Promise<readonly ServiceReport[]>;
  stop(): Promise<readonly ServiceReport[]>;
  /**
   * A new process takes over from each that runs, and what is enabled and does not run is started.
   */
  restart(): Promise<readonly ServiceReport[]>;
  /**
   * Installs the newest version and lets it restart what runs; each step is told. Rejects with
   * `LOOP_E_UPGRADE`, and then what ran goes on.
   */
  upgrade(say: (text: string) => void): Promise<{ readonly from: string; readonly to: string }>;
  status(): Promise<readonly ServiceReport[]>;
  /** Runs a daemon in this process until it is told to stop; resolves to its exit code. */
  foreground(kind: DaemonKind, once: boolean): Promise<0 | 2>;
}

/**
 * What is known of the turn that this process belongs to: an agent's shell may have lost any of it.
 */
export type InsideTurn = {
  /**
   * The turn's folder, where the dispatcher takes requests; without it nobody knows which turn it
   * is.
   */
  readonly turnDir: string | null;
  readonly workItem: string | null;
};
