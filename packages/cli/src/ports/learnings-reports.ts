import type { Candidate, ConsolidationFacts, Plan } from "@loopwork/core/learnings";

/** A file of the queue that is no candidate, and why. */
type Refused = { readonly name: string; readonly problem: string };

/** What a queue holds: candidates by the name of their file, and files that are none. */
export type Queue = {
  readonly candidates: readonly { readonly name: string; readonly candidate: Candidate }[];
  readonly refused: readonly Refused[];
};

/** A plan with the files that it changes. */
export type Consolidation = {
  readonly plan: Plan;
  readonly edits: readonly {
    readonly path: string;
    readonly before: string | null;
    readonly after: string | null;
  }[];
  readonly refused: readonly Refused[];
};

/** Asks somebody about what a plan is not sure of; verdicts by the id of the earliest candidate. */
export type Ask = (unsure: Plan["unsure"]) => Promise<ConsolidationFacts["verdicts"]>;
