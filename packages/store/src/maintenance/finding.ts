/** What is wrong with a store. */
export type FindingKind =
  | "file-damaged"
  | "unreadable"
  | "body-damaged"
  | "body-count"
  | "document-damaged"
  | "column-differs"
  | "reference-broken"
  | "log-gap"
  | "cursor-beyond"
  | "undecided-behind"
  | "lane-inconsistent"
  | "number-behind"
  | "index-damaged"
  | "constraint-unchecked";

export type Finding = {
  readonly kind: FindingKind;
  readonly sentence: string;
  /** Numbers of the deliveries it is about, where there are some. */
  readonly deliveries: readonly number[];
};

export function found(
  kind: FindingKind,
  sentence: string,
  deliveries: readonly number[] = [],
): Finding {
  return { kind, sentence, deliveries };
}

export type Checked = {
  readonly place: string;
  readonly findings: readonly Finding[];
  /** What could not be looked at, and why. */
  readonly notes: readonly string[];
  /** Rows of each table. */
  readonly counted: Readonly<Record<string, number>>;
};
