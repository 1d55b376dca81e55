import type { ChildIdentity } from "../dispatch/turn.ts";

/**
 * Starts children whose output goes to files, so that it outlives us. A child leads its own process
 * group; deadlines and stops go to the group: TERM, a grace of 10 s, KILL.
 */
export interface RunProcess {
  /**
   * Resolves when the child exists. Its standard input is held open and empty: nothing has been
   * written yet.
   */
  spawn(plan: ProcessPlan): Promise<RunningChild>;
  /** Watches a child of an earlier life of ours; null when no such process lives. */
  adopt(
    identity: ChildIdentity,
    plan: Pick<
      ProcessPlan,
      "stdoutFile" | "stderrFile" | "deadlineMs" | "maxOutputBytes" | "graceMs"
    >,
  ): RunningChild | null;
}

export type ProcessPlan = {
  /** Program and arguments; never a shell. */
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole environment of the child. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdoutFile: string;
  readonly stderrFile: string;
  /** Milliseconds from the spawn until TERM. */
  readonly deadlineMs: number;
  /**
   * Per stream; past it the child is stopped as `output-limit`, and what its file has beyond it is
   * cut off.
   */
  readonly maxOutputBytes: number;
  /** Milliseconds from TERM until KILL where nobody asks for others; 10,000 when absent. */
  readonly graceMs?: number;
};

export interface RunningChild {
  readonly identity: ChildIdentity;
  /** Writes to standard input; an adopted child has none left. */
  write(text: string): Promise<void>;
  endInput(): void;
  /**
   * Complete lines of standard output, as they appear in the file; ends when the child is gone and
   * the file is read.
   */
  lines(): AsyncIterable<string>;
  /** Settles when the process group is gone. */
  readonly ended: Promise<ChildEnd>;
  stop(why: "deadline" | "asked" | "output-limit" | "shutdown", graceMs?: number): Promise<void>;
}

/** `code` is null for a signal, and for an adopted child, whose exit nobody could collect. */
export type ChildEnd = {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stopped: "deadline" | "asked" | "output-limit" | "shutdown" | null;
};
