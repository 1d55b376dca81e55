import type { NewConversation, Trouble, TurnPlan, Turns } from "../../ports/harness.ts";
import type { Hooks } from "../../ports/hooks.ts";
import type { Trust } from "../../ports/trust.ts";
import type { ChildEnd } from "../../ports/run-process.ts";

/**
 * What the rows of the adapter contract need: the ports under test, the program that the adapter
 * starts, and a place of its own with nothing in it. The program is the real one in front of a
 * stand-in of its model, or a fixture in its place.
 */
export type AdapterStage = {
  readonly turns: Turns;
  readonly trust: Trust;
  readonly hooks: Hooks;
  /** Id for a new conversation: chosen by us where the harness lets us, else asked of it. */
  newConversation(): Promise<NewConversation>;
  /** Starts what the adapter planned. */
  start(plan: TurnPlan, workdir: string): Promise<StagedChild>;
  /**
   * The words, and the variables beside them, with which the program does these deeds in one turn.
   */
  script(deeds: readonly Deed[]): Script;
  /** Environment of a turn as the runtime cleans it, with the `LOOP_*` variables set. */
  readonly env: Readonly<Record<string, string>>;
  readonly place: Place;
  readonly program: ProgramRecord;
  /** A fresh UUID. */
  uuid(): string;
  sleep(ms: number): Promise<void>;
};

/** Folders of one row, all absolute. */
export type Place = {
  /** The checkout. */
  readonly workdir: string;
  /** Another folder, where the same checkout might stand later. */
  readonly elsewhere: string;
  /** The attempt's ledger, requests and output. */
  readonly turnDir: string;
  /** Text of a file of the checkout; null when there is none. */
  read(name: string): string | null;
};

/** What the program itself keeps, as rows must see it and spoil it. */
export type ProgramRecord = {
  /**
   * Messages of people on record in a conversation, oldest first; empty when there is no such
   * conversation.
   */
  messages(conversation: string): readonly string[];
  /** Takes the conversation away, as somebody who deletes the program's files would. */
  forget(conversation: string): void;
  /**
   * What the program hands to a hook before it runs the shell command `echo hi`; null when it knows
   * no hooks.
   */
  hookInput(): Promise<{
    readonly stdin: string;
    readonly env: Readonly<Record<string, string>>;
  } | null>;
  /** The file into which trust is written; null when there is none. */
  readonly trustFile: { read(): string; write(text: string): void } | null;
};

/** What the program is asked to do. */
export type Deed =
  | { readonly kind: "say"; readonly text: string }
  /** Runs a shell command in the checkout that the adapter's permissions allow. */
  | { readonly kind: "run"; readonly command: string }
  /** Runs one that they do not allow; on an adapter without permissions it is like `run`. */
  | { readonly kind: "run-forbidden"; readonly command: string }
  /** Thinks for so long before it says anything. */
  | { readonly kind: "wait"; readonly ms: number }
  /** The model's service does not answer. A usage limit resets at `limitResetsAt`. */
  | { readonly kind: "fail"; readonly with: Trouble };

/** Milliseconds since 1970. */
export const limitResetsAt = 1_900_000_000_000;

export type Script = { readonly prompt: string; readonly env: Readonly<Record<string, string>> };

/**
 * A child as rows see it. It leads a process group of its own, so that what it started ends with
 * it; a stage kills one that outlives its patience (the longest row needs 30 s at most), because a
 * wrong adapter may wait forever.
 */
export type StagedChild = {
  readonly pid: number;
  write(text: string): Promise<void>;
  endInput(): void;
  /**
   * Complete lines of standard output as they come; ends when the child is gone and everything is
   * read.
   */
  lines(): AsyncIterable<string>;
  /** Standard error so far. */
  stderr(): string;
  readonly ended: Promise<ChildEnd>;
  /** Sends a signal to the child's process group; one that is gone is no error. */
  signal(name: "SIGTERM" | "SIGKILL"): void;
};
