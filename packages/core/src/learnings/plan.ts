import type { Book } from "./book.ts";
import type { Candidate } from "./candidate.ts";
import type { Fact } from "./classify-against-facts.ts";
import type { Learning } from "./learning.ts";
import type { Operation } from "./model.ts";

/**
 * One change of one learning. `learning` is how it is afterwards, so that the same change again
 * changes nothing.
 */
export type LearningChange = {
  readonly kind: "add" | "update" | "seen" | "retire" | "evict" | "promote";
  readonly learning: Learning;
  /** Candidates that it rests on; none for what only room decides. */
  readonly candidates: readonly string[];
  readonly why: string;
};

/**
 * What becomes of the candidates of one consolidation. Each stands in exactly one place: in a
 * change, or in one of the three lists.
 */
export type Plan = {
  readonly changes: readonly LearningChange[];
  /** Wait for another occurrence. */
  readonly waiting: readonly string[];
  /** Waited too long. */
  readonly expired: readonly string[];
  /** Say what the repository's own rule files say, or what ended and stays so; `rule` names it. */
  readonly known: readonly Known[];
  /** Classifications that were not sure, with what was done instead. */
  readonly unsure: readonly {
    readonly candidates: readonly string[];
    readonly text: string;
    readonly likely: Operation;
    readonly done: Operation;
    readonly retrieved: readonly { readonly id: string; readonly text: string }[];
  }[];
  /**
   * The index does not fit because of pinned learnings or of words that people wrote: nothing may
   * be written.
   */
  readonly tooLarge: boolean;
};

/** Candidates that say nothing new, and what says it already. */
export type Known = { readonly candidates: readonly string[]; readonly rule: string };

export type ConsolidationFacts = {
  readonly book: Book;
  readonly candidates: readonly Candidate[];
  /** What `AGENTS.md` and other rule files say, a line each; ids are `file:line`. */
  readonly rules: readonly Fact[];
  /**
   * Answers of a classifier that was asked about unsure candidates, by the id of the earliest one.
   */
  readonly verdicts: ReadonlyMap<
    string,
    { readonly op: Operation; readonly target: string | null }
  >;
  /** Highest id that was given anywhere else; 0 where none was. */
  readonly lastId: number;
  /** Milliseconds since 1970. */
  readonly now: number;
};
