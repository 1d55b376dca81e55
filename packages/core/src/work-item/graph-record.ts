/**
 * What is remembered of a work item's way through its graph. `node` is what the session was last
 * asked to do; where the work stands is derived anew each time, so that neither this nor anything
 * that an agent wrote is trusted.
 */
export type GraphRecord = {
  readonly graph: string;
  readonly node: string;
  /** At most one of each kind a node, the newest. */
  readonly signals: readonly GraphSignal[];
  /**
   * The newest gate of which the thread was told; null while none was, absent in records of earlier
   * versions.
   */
  readonly announced?: Announcement | null;
  /**
   * Whom the work waits for, so that it can be listed; absent in records of earlier versions.
   * Nothing is decided by it.
   */
  readonly waits?: GraphWaits | null;
};

/**
 * What the thread was told of an open gate: the state of the work that it was opened with, as
 * `subjectOf` names it, and when, in milliseconds since 1970. Only what people write after that
 * counts, and only for that state.
 */
export type Announcement = { readonly node: string; readonly subject: string; readonly at: number };

/**
 * Work that goes on when a person does something: `approval` at an open gate, `unfinished` where a
 * session ended its turn however often it was told that its node lacks something. `detail` says
 * what, `since` is milliseconds since 1970.
 */
export type GraphWaits = {
  readonly for: "approval" | "unfinished";
  readonly node: string;
  readonly detail: string;
  readonly since: number;
};

/**
 * What somebody or something said about a node. Where it names a `subject` it holds for exactly
 * that state of the work: any change of what was looked at makes it void. `at` is milliseconds
 * since 1970.
 */
export type GraphSignal =
  | {
      readonly kind: "answer";
      readonly node: string;
      readonly subject: string;
      readonly approved: boolean;
      readonly by: string;
      readonly delivery: string;
      readonly at: number;
    }
  /** `failed` has a sentence for each hook that did not pass. */
  | {
      readonly kind: "hooks";
      readonly node: string;
      readonly subject: string;
      readonly failed: readonly string[];
      readonly at: number;
    }
  | ({
      readonly kind: "critics";
      readonly node: string;
      readonly subject: string;
      readonly at: number;
    } & Judgement)
  /**
   * An operator took the node as it is, or left it out. Neither stands for a person's answer at a
   * gate.
   */
  | {
      readonly kind: "waived";
      readonly node: string;
      readonly how: "accepted" | "skipped";
      /**
       * The node's artifacts as they were then; absent where nobody could look, and in records of
       * earlier versions.
       */
      readonly subject?: string;
      readonly by: string;
      readonly at: number;
    };

/** What the critics came to in a round; `failed`: some gave no verdict. */
export type Judgement = {
  readonly round: number;
  readonly outcome: "passed" | "rework" | "escalated" | "failed";
  readonly findings: readonly StandingFinding[];
  readonly why: string | null;
};

/** A record of work at the node about which nobody has said anything. */
export function emptyGraphRecord(graph: string, node: string): GraphRecord {
  return { graph, node, signals: [], announced: null, waits: null };
}

/** The record with the signal in place of an older one of its kind. */
export function withSignal(record: GraphRecord, signal: GraphSignal): GraphRecord {
  return {
    ...record,
    signals: [
      ...record.signals.filter(({ kind, node }) => kind !== signal.kind || node !== signal.node),
      signal,
    ],
  };
}

/**
 * The critics' last round at a node, where the next one goes on from it: a person's answer since
 * ends the series.
 */
export function seriesOf(
  signals: readonly GraphSignal[],
  node: string,
): Extract<GraphSignal, { readonly kind: "critics" }> | null {
  const judged = signalOf(signals, "critics", node);
  const answer = signalOf(signals, "answer", node);
  return judged !== null && answer !== null && answer.at > judged.at ? null : judged;
}

/** The newest signal of a kind about a node; null when there is none. */
export function signalOf<K extends GraphSignal["kind"]>(
  signals: readonly GraphSignal[],
  kind: K,
  node: string,
): Extract<GraphSignal, { readonly kind: K }> | null {
  const isOf = (signal: GraphSignal): signal is Extract<GraphSignal, { readonly kind: K }> =>
    signal.kind === kind && signal.node === node;
  return signals.find(isOf) ?? null;
}

/**
 * One thing that a critic found. A blocker or major one keeps the work from going on, a minor one
 * is only told.
 */
export type CriticFinding = {
  readonly severity: Severity;
  /** One sentence; together with the file it says whether two findings are the same. */
  readonly title: string;
  readonly detail: string;
  readonly file: string | null;
  readonly line: number | null;
};

export type Severity = "blocker" | "major" | "minor";

/** A finding with those who found it, and in how many rounds in a row. */
export type StandingFinding = CriticFinding & {
  readonly critics: readonly string[];
  readonly rounds: number;
};
