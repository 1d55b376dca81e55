/** A command of git, whole. */
export type GitPlan = {
  readonly directory: string;
  /** Configuration that it is told beside its own, as `key=value`. */
  readonly config: readonly string[];
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  /** What it reads; null for nothing. */
  readonly input: Uint8Array | null;
  /** The most that it may take. */
  readonly minutes: number;
  /** Exit codes beside 0 that are no failure where git says nothing else about them. */
  readonly answers: readonly number[];
};

/**
 * Runs git to its end; resolves to all that it printed. Rejects with git's own complaint as the message, also when it was killed or
 * ended otherwise than was expected. Plan and outcome are plain data: another process may do it.
 */
export type RunGit = (plan: GitPlan) => Promise<Uint8Array>;
