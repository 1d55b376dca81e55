import type { Prompt } from "../transcripts.ts";
import type { StoreRows } from "./rows.ts";

/**
 * Everything that a run left behind, as plain data: whoever judges it knows nothing of the code
 * that made it. Parts that a run has none of are empty.
 */
export type Evidence = {
  /**
   * What the host sent: `statuses` are the answers, `refused` whether it asks for something that
   * its sender may not have.
   */
  readonly sent: readonly {
    readonly id: string;
    readonly statuses: readonly (number | null)[];
    readonly forbidden: boolean;
  }[];
  /** Null where the store could not be read. */
  readonly store: StoreRows | null;
  /** Comments under our login on the host. */
  readonly posts: readonly {
    readonly thread: string;
    readonly id: string;
    readonly body: string;
  }[];
  readonly prompts: readonly Prompt[];
  /** Words that must reach a session, by lane, in order. */
  readonly expected: ReadonlyMap<number, readonly string[]>;
  /** Logins that may command. */
  readonly authorized: readonly string[];
  /** The most processes that were seen alive at once for each session of the harness. */
  readonly livest: ReadonlyMap<string, number>;
  /** The text of each trust file, with the bytes of others that must stand in it. */
  readonly trust: readonly {
    readonly file: string;
    readonly text: string;
    readonly foreign: string;
  }[];
  readonly secrets: readonly string[];
  /** Texts that people or agents may see, by where they stand. */
  readonly texts: readonly { readonly where: string; readonly text: string }[];
  /** Paths that nobody had any business to write. */
  readonly strayPaths: readonly string[];
};

export type Invariant = (evidence: Evidence) => readonly string[];
