import type { PromptText } from "../outside/prompt-text.ts";
import type { Runner } from "../work-item/records.ts";
import type { ChildEnd } from "./run-process.ts";

/**
 * A harness adapter is small ports: `Turns`, `Trust`, `Hooks`, and `OneShots` where it can be asked
 * by the way. `Turns` is data in and data out; only the runtime spawns.
 */
export interface Turns {
  readonly capabilities: HarnessCapabilities;
  /**
   * How the turns that are planned now will run; attempts of earlier times may have been run
   * otherwise.
   */
  readonly runner: Runner;
  /** What to start for one attempt. Pure. */
  plan(request: TurnRequest): TurnPlan;
  /** Reads one line of the child's standard output. Pure. */
  readLine(line: string): HarnessSignal | null;
  /**
   * Judges an attempt by the harness's own end of turn for our receipt, never by the exit code
   * alone. Pure.
   */
  outcome(observed: Observed): Outcome;
  /** What is known of an attempt whose end nobody saw: reads the transcript and the tool ledger. */
  evidence(attempt: AttemptTrace): Promise<ReceiptEvidence>;
  /**
   * Version and login of the installed program; `tested` says whether the receipts' behaviour was
   * proven for it.
   */
  probe(): Promise<HarnessProbe>;
}

/**
 * What a harness can do, and by what is missing what it cannot. The adapter contract
 * (`@loopwork/core/testing`) holds an adapter to it.
 */
export type HarnessCapabilities = {
  /** The id of a new conversation is ours to choose, and a second start under it is refused. */
  readonly presetSessionId: boolean;
  /**
   * Every end of turn names the message that it answers, and the harness's own record proves what
   * became of one after a crash.
   */
  readonly receipts: boolean;
  readonly headless: boolean;
  readonly interactive: boolean;
  /**
   * Its stop hook fires at the end of a headless turn. Where it does not, the driver asks the gate
   * itself.
   */
  readonly stopGateInHeadless: boolean;
  readonly promptVia: "stdin" | "file";
  /**
   * Troubles that the harness says clearly enough to be told apart. Any other one ends a turn as
   * `unclear`.
   */
  readonly tells: readonly Trouble[];
  /** What it reports of a turn beside its end. */
  readonly reports: readonly Reported[];
};

/** What can keep the model's service from answering. */
export type Trouble =
  | "overloaded"
  | "server-error"
  | "rate-limited"
  | "unreachable"
  | "usage-limit"
  | "logged-out"
  | "key-refused"
  | "forbidden"
  | "no-credit"
  | "prompt-too-long"
  | "refused-request";

/** `reset-time`: until when a usage limit lasts. */
export type Reported = "denials" | "spend" | "reset-time";

export type TurnRequest = {
  readonly mode: "start" | "resume";
  readonly sessionId: string;
  /** UUID of the attempt. */
  readonly receipt: string;
  readonly prompt: PromptText;
  readonly workdir: string;
  /**
   * Absolute; folders beside the checkout in which the session may work as in it. None when absent.
   */
  readonly alsoIn?: readonly string[];
  /** Absolute; holds the ledger of the attempt, its requests and output. */
  readonly turnDir: string;
  /** Where the turn runs in the harness's own sandbox; absent or null: without one. */
  readonly sandbox?: SandboxFiles | null;
  /** Environment as cleaned by the runtime, with the `LOOP_*` variables set. */
  readonly env: Readonly<Record<string, string>>;
};

/** Files of one attempt's sandbox: its settings, and its own temporary folder. */
export type SandboxFiles = { readonly settingsFile: string; readonly tmpDir: string };

export type TurnPlan = {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  /** Written to standard input once the attempt and the child are recorded. */
  readonly stdin: string;
  /** When standard input is closed: at once, or once the result for our receipt was read. */
  readonly closeInput: "after-write" | "after-result";
};

/**
 * What a line of output tells. `accepted` and `reached-model` are early receipts, `result` is the
 * end of the turn.
 */
export type HarnessSignal =
  | { readonly kind: "accepted"; readonly receipt: string | null }
  | { readonly kind: "reached-model"; readonly receipt: string | null }
  | {
      readonly kind: "session";
      readonly sessionId: string;
      readonly version: string | null;
      readonly sandboxed?: boolean;
    }
  | { readonly kind: "spend"; readonly usd: number }
  | { readonly kind: "result"; readonly receipts: readonly string[] };

/**
 * What came of an attempt; `sessionId` is the conversation that it was meant for; `sandboxed`: a
 * sandbox was asked for.
 */
export type Observed = {
  readonly receipt: string;
  readonly sessionId: string;
  readonly end: ChildEnd;
  readonly stdout: readonly string[];
  readonly stderr: string;
  readonly sandboxed?: boolean;
};

/** How an attempt ended, in the words of the contract. */
export type Outcome =
  | {
      readonly kind: "done";
      readonly denials: readonly Denial[];
      readonly usd: number;
      readonly minutes: number;
    }
  /** The harness had answered this receipt before and did nothing now. */
  | { readonly kind: "swallowed" }
  | { readonly kind: "prompt-blocked"; readonly detail: string }
  | { readonly kind: "session-not-found" }
  /** `detail` says what is in the way, where more is known than that somebody else works there. */
  | { readonly kind: "session-busy"; readonly detail?: string }
  | { readonly kind: "session-id-taken" }
  | { readonly kind: "login"; readonly detail: string }
  | { readonly kind: "billing"; readonly detail: string }
  | { readonly kind: "transient"; readonly status: number | null; readonly detail: string }
  /** `until` milliseconds since 1970 as the harness reports it; null when it does not. */
  | { readonly kind: "usage-limit"; readonly until: number | null; readonly limit: string | null }
  | { readonly kind: "prompt-too-long" }
  | { readonly kind: "untrusted" }
  /** The harness did not run the turn in the sandbox that we asked for. */
  | { readonly kind: "unsandboxed"; readonly detail: string }
  | { readonly kind: "timeout" }
  | { readonly kind: "output-limit" }
  | { readonly kind: "killed"; readonly signal: string | null; readonly asked: boolean }
  | { readonly kind: "bad-invocation"; readonly detail: string }
  | { readonly kind: "not-installed"; readonly detail: string }
  | { readonly kind: "unclear"; readonly detail: string };

/**
 * The id of a conversation that has not begun: chosen by us where the harness lets us, else asked
 * of it, which may fail like an attempt.
 */
export type NewConversation =
  | { readonly kind: "made"; readonly id: string }
  | { readonly kind: "failed"; readonly outcome: Outcome };

/**
 * One thing that was said or done in a conversation. `at` is milliseconds since 1970, null where it
 * is not on record.
 */
export type TranscriptEntry = {
  readonly at: number | null;
  readonly who: "prompt" | "agent" | "tool";
  readonly text: string;
};

/** A tool call that the harness refused, with what would allow it. */
export type Denial = { readonly tool: string; readonly input: string };

/**
 * `runner` is how the attempt was run, whatever the configuration says today; null where that is
 * not on record.
 */
export type AttemptTrace = {
  readonly receipt: string;
  readonly runner: Runner | null;
  readonly sessionId: string;
  readonly workdir: string;
  readonly turnDir: string;
  readonly stdout: readonly string[];
};

/** What transcript and ledger say of a receipt. */
export type ReceiptEvidence =
  /** The harness's own end of turn for the receipt is on record. */
  | { readonly kind: "done"; readonly usd: number; readonly minutes: number }
  /**
   * Provably never reached the model. `sessionExists` says whether the conversation has any record.
   */
  | { readonly kind: "absent"; readonly sessionExists: boolean }
  /** It reached the model; no reply and no tool is on record. */
  | { readonly kind: "asked-only" }
  /** A tool ran or a reply began. */
  | { readonly kind: "interrupted" }
  /** The harness recorded an API error for it. */
  | { readonly kind: "api-error"; readonly outcome: Outcome }
  | { readonly kind: "unknown"; readonly why: string };

export type HarnessProbe = {
  readonly found: boolean;
  readonly command: string;
  readonly version: string | null;
  readonly tested: boolean;
  readonly login: "yes" | "no" | "unknown";
  readonly hint: string | null;
};
