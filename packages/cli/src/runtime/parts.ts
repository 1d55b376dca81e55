import type { DispatchSettings, HarnessId, Policy } from "@loopwork/core";
import type { Config } from "@loopwork/core/config";
import type { Candidate } from "@loopwork/core/learnings";
import type { Clock, CodeHost, Ids, Lock, NewConversation, RunProcess, Store, Timers, Trust, Turns, WorkGate, Workspace } from "@loopwork/core/ports";
import type { RepositoryNames } from "./repository-names.ts";
import type { TurnFiles } from "./turn/turn-files.ts";

/** What the runtime is made of. Everything is a port, so that a test can hand in another part. */
export type RuntimeParts = {
  readonly store: Store;
  readonly locks: Lock;
  readonly host: CodeHost;
  readonly workspace: Workspace;
  readonly harnesses: Readonly<Record<HarnessId, { readonly turns: Turns; readonly trust: Trust; readonly newConversation: () => Promise<NewConversation>; readonly isHeldElsewhere: (sessionId: string) => Promise<boolean>; readonly endConversation: (sessionId: string) => Promise<void> } | null>>;
  readonly gate: WorkGate;
  readonly run: RunProcess;
  readonly files: TurnFiles;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly ids: Ids;
  readonly settings: () => RuntimeSettings;
  readonly marks: Marks;
  readonly names: RepositoryNames;
  readonly redact: Redact;
  /** Keeps what a turn of that repository may have learned until it is consolidated. */
  readonly keepCandidate: (repository: string, candidate: Candidate) => Promise<void>;
  /** Says something in the log of the process; facts for people go to the event log of the store instead. */
  readonly log: (level: "info" | "warn" | "error", text: string) => void;
};

/** A text without secrets: our own, and what has the shape of a token (P17). Texts that hold none come back as they are. */
export type Redact = (text: string) => string;

/** The configuration as the runtime needs it; read anew for each event, so that a changed file takes effect. */
export type RuntimeSettings = {
  readonly config: Config;
  readonly policy: Policy;
  readonly dispatch: DispatchSettings;
  readonly configFile: string | null;
  /** Absolute folder with one folder a turn. */
  readonly turnsDir: string;
  /** Absolute folder with the `loop` that children call. */
  readonly binDir: string;
  readonly workspaceRoot: string | null;
  /** Of the operator's own graphs; null for the bundled ones. */
  readonly graphFile: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names of the variables whose values children must not see. */
  readonly secretNames: readonly string[];
};

/** Hidden markers on what we post (decisions.md 5, Own writing). */
export type Marks = {
  /** The text, without secrets, with its hidden marker; `purpose` names the one thing that this post does, such as `effect-12`. */
  readonly sign: (text: string, purpose: string) => string;
  /** The marker alone, to look for. */
  readonly marker: (purpose: string) => string;
  /** True when the text carries a marker made with our key. */
  readonly isOurs: (text: string) => boolean;
};
