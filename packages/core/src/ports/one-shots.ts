import type { PromptText } from "../message/prompt-text.ts";

/**
 * One question to a harness, outside of every conversation that is on record (ADR 0024): a
 * conversation of its own that may read the working directory, and can change nothing.
 */
export interface OneShots {
  /**
   * Where it reads: in the `checkout` itself, whose rules, settings and hooks it does not load; or
   * in a `copy` without them, because it cannot be told to leave them alone.
   */
  readonly reads: "checkout" | "copy";
  /**
   * Settings, as the text of a file, by which the harness's own tools read nothing of what is
   * hidden; absent for a harness that has none. Looks at the disk. Rejects with `LOOP_E_SANDBOX`
   * where not everything can be hidden.
   */
  readonly settings?: (place: OneShotPlace) => Promise<string>;
  /** What to start; its standard input is closed after the question. Pure. */
  plan(request: OneShotRequest): OneShotPlan;
  /** What the harness answered. Pure. */
  answer(ended: {
    readonly code: number;
    readonly stdout: string;
    readonly stderr: string;
  }): OneShotAnswer;
}

/**
 * All paths are absolute. Of `hide` and what is asked about the deeper path wins; a path in both is
 * open.
 */
export type OneShotPlace = {
  readonly workdir: string;
  readonly alsoIn: readonly string[];
  readonly hide: readonly string[];
  readonly env: Readonly<Record<string, string>>;
};

export type OneShotRequest = {
  /**
   * UUID of the conversation, for harnesses that let us choose it; never that of a session on
   * record.
   */
  readonly sessionId: string;
  readonly prompt: PromptText;
  readonly workdir: string;
  /** Absolute; folders beside the checkout that may be read as well. None when absent. */
  readonly alsoIn?: readonly string[];
  /** Absolute; a file with what `settings` said. None when absent or null. */
  readonly settingsFile?: string | null;
  /** JSON Schema of the answer; a harness that checks answers by itself is told of it. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** Environment as cleaned by the runtime. */
  readonly env: Readonly<Record<string, string>>;
};

export type OneShotPlan = {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
};

/**
 * The answer's text, or a sentence that says why there is none. `usd` is what the harness says that
 * it cost, 0 where it does not.
 */
export type OneShotAnswer =
  | { readonly ok: true; readonly text: string; readonly usd: number }
  | { readonly ok: false; readonly why: string; readonly usd: number };
