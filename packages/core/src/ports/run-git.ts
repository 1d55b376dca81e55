import { LoopError } from "./loop-error.ts";

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
 * Runs git to its end; resolves to all that it printed. Rejects with git's own complaint as the
 * message, also when it was killed or ended otherwise than was expected. Plan and outcome are plain
 * data: another process may do it. Rejects with `GitLost` when that one ended meanwhile.
 */
export type RunGit = (plan: GitPlan) => Promise<Uint8Array>;

/** Nobody knows what became of a command: it may have ended, and may go on. */
export class GitLost extends LoopError {
  override readonly name: string = "GitLost";

  constructor() {
    super(
      "LOOP_E_BROKER",
      "the process that runs git ended before it said what came of a command",
      "nothing to do: another is started, and the work is taken up again",
    );
  }
}
