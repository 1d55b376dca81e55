import type { RunProcess } from "@loopwork/core/ports";
import type { ChildEnvironment } from "./child-environment.ts";

/** Programs whose output is small, and places for files that are gone with the work they are for. */
export type SmallPrograms = {
  /**
   * Runs a program, and waits for it and for all that it started; once more where nobody saw its
   * end. Never rejects for what the program does.
   */
  runToEnd(plan: CommandPlan, run: RunProcess): Promise<CommandEnd>;
  /** A file with the text that its owner alone can read. */
  withFile<T>(text: string, work: (file: string) => Promise<T>): Promise<T>;
  /** An empty folder in no repository, in `scratchDir` where that lies in none. */
  outsideRepositories<T>(scratchDir: string, work: (folder: string) => Promise<T>): Promise<T>;
  /**
   * Copies the plain files of a folder, one beside the other, that `may` says yes to by their name.
   * The folder `to` is made; where `from` is none, it stays empty.
   */
  copyFiles(from: string, to: string, may: (name: string) => boolean): Promise<void>;
};

export type CommandPlan = {
  /** Program and arguments; never a shell. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: ChildEnvironment;
  /** Written to standard input, which is closed then. */
  readonly input: string;
  readonly deadlineMs: number;
  /** Of standard output and of standard error; more ends it. */
  readonly mostBytes: number;
  /** Where its output stands meanwhile (`RuntimeSettings`). */
  readonly scratchDir: string;
};

/**
 * How it ended; `why` is a sentence about it. `lost`: nobody knows, and it says nothing about the
 * program.
 */
export type CommandEnd =
  | {
      readonly kind: "ended";
      readonly code: number;
      readonly stdout: string;
      readonly stderr: string;
    }
  | { readonly kind: "failed" | "lost"; readonly why: string };

/** What a program said at its end, in a sentence; its last complaints, short enough for people. */
export function endSentence({
  code,
  stderr,
}: Extract<CommandEnd, { readonly kind: "ended" }>): string {
  const tail = stderr.trim().slice(-400);
  return `it ended with ${code}${tail === "" ? "" : `: ${tail}`}`;
}
