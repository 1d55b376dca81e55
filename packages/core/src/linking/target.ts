import type { Ref } from "../ref/ref.ts";

/** The work item that an event belongs to, and the endpoint whose session it is for. */
export type Target = {
  readonly workItem: Ref;
  readonly endpoint: Ref;
  readonly provenance: Provenance;
  /**
   * Only on a pull request whose own text or branch names issues while nobody vouches for it: it
   * stands alone (ADR 0009). Absent else.
   */
  readonly foreign?: Foreign;
};

/**
 * A pull request of somebody without authority, from a fork. `issues` are those that it names,
 * `atWork` whether one of them is. `told`: the host said that it is one; where it did not, nobody
 * knows. `author` is its login, null where that is not told either.
 */
export type Foreign = {
  readonly issues: readonly Ref[];
  readonly atWork: boolean;
  readonly told: boolean;
  readonly author: string | null;
};

/** How the work item was found, strongest first. */
export type Provenance =
  | "recorded-link"
  | "closing-reference"
  | "head-branch"
  | "closing-keyword"
  | "itself"
  | "head-sha"
  | "named";
