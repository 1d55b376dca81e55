import { type Candidate, severities, type Severity, type SignalKind } from "./candidate.ts";
import { normalForm } from "./normal-form.ts";
import { shortHash } from "./short-hash.ts";
import type { Category } from "./vocabulary.ts";

export const statuses = ["active", "evicted", "retired", "superseded"] as const;
/**
 * active: in the index. evicted: in the topic of its category. retired: no longer true. superseded:
 * another one stands in its place.
 */
export type Status = (typeof statuses)[number];

export const kinds = ["do", "dont", "fact"] as const;
export type Kind = (typeof kinds)[number];

/**
 * An occurrence that a learning rests on. `words`: by `wordsOf`, each way in which the run said it;
 * absent in files of earlier versions.
 */
export type Source = {
  readonly workItem: string;
  readonly run: string;
  readonly signal: SignalKind;
  readonly at: number;
  readonly ref: string;
  readonly words?: readonly string[];
};

/** One learning, as its detail file keeps it. Times are milliseconds since 1970. */
export type Learning = {
  readonly id: number;
  readonly text: string;
  readonly category: Category;
  readonly kind: Kind;
  readonly status: Status;
  readonly severity: Severity;
  /** Distinct runs of work items in which it was met. */
  readonly seen: number;
  readonly firstSeen: number;
  readonly lastSeen: number;
  readonly pinned: boolean;
  readonly supersedes: readonly number[];
  readonly supersededBy: number | null;
  /** Its identifiers, by which people and tools find it. */
  readonly keys: readonly string[];
  readonly sources: readonly Source[];
  /** Texts that it had before, and what ended it, the oldest first. */
  readonly earlier: readonly string[];
};

/** A new learning out of candidates that say the same, the first of which gives the text. */
export function learningOf(
  id: number,
  first: Candidate,
  members: readonly Candidate[],
  supersedes: readonly number[],
): Learning {
  const sources = sourcesOf(members);
  return {
    id,
    text: first.text,
    category: first.category,
    kind: kindOf(first.text),
    status: "active",
    severity: severityOf(members),
    seen: sources.length,
    firstSeen: Math.min(...members.map(({ at }) => at)),
    lastSeen: Math.max(...members.map(({ at }) => at)),
    pinned: false,
    supersedes,
    supersededBy: null,
    keys: normalForm(first.text).identifiers,
    sources,
    earlier: [],
  };
}

/** The highest of some candidates; high alone with a reason of the list. */
function severityOf(members: readonly Pick<Candidate, "severity" | "severityReason">[]): Severity {
  if (
    members.some(({ severity, severityReason }) => severity === "high" && severityReason !== null)
  )
    return "high";
  return members.some(({ severity }) => severity !== "low") ? "medium" : "low";
}

/**
 * Adds occurrences, each run of a work item once; a severity is raised and never lowered. The same
 * ones again change nothing.
 */
export function withOccurrences(learning: Learning, members: readonly Candidate[]): Learning {
  const met = sourcesOf(members);
  const news = met.filter((source) => !learning.sources.some((known) => isSameRun(known, source)));
  const raised = [learning.severity, severityOf(members)];
  const severity = severities.findLast((each) => raised.includes(each)) ?? learning.severity;
  const lastSeen = Math.max(learning.lastSeen, ...news.map(({ at }) => at));
  return {
    ...learning,
    severity,
    seen: learning.seen + news.length,
    lastSeen,
    sources: [...learning.sources.map((known) => withWords(known, met)), ...news],
  };
}

function withWords(known: Source, met: readonly Source[]): Source {
  const words = met.filter((each) => isSameRun(known, each)).flatMap((each) => each.words ?? []);
  return known.words === undefined
    ? known
    : { ...known, words: [...new Set([...known.words, ...words])] };
}

/** The words of an occurrence, by their normal form, as sixteen hexadecimal digits. */
export function wordsOf(text: string): string {
  const { key, retires } = normalForm(text);
  return shortHash(`${retires ? "-" : ""}${key}`);
}

/** What stands before the text that ended a learning, among its earlier ones. */
export const endedBy = "ended by: ";

/** What stands there where a person took a line out of the index or a topic. */
export const lineTakenOut: string = `${endedBy}its line was taken out`;

function sourcesOf(members: readonly Candidate[]): readonly Source[] {
  const sources: Source[] = [];
  for (const { workItem, run, signal, at, text } of members) {
    const source = {
      workItem,
      run,
      signal: signal.kind,
      at,
      ref: signal.ref,
      words: [wordsOf(text)],
    };
    const known = sources.findIndex((each) => isSameRun(each, source));
    if (known < 0) sources.push(source);
    else sources[known] = withWords(sources[known] ?? source, [source]);
  }
  return sources;
}

function isSameRun(one: Source, other: Source): boolean {
  return one.workItem === other.workItem && one.run === other.run;
}

export function kindOf(text: string): Kind {
  const form = normalForm(text);
  if (form.prohibits) return "dont";
  const first = form.tokens[0]?.text.toLowerCase() ?? "";
  return ["the", "a", "an", "it"].includes(first) ||
    form.tokens.some(({ text: word }) => word === "is" || word === "are")
    ? "fact"
    : "do";
}

export function isEndedByPerson({
  status,
  earlier,
}: Pick<Learning, "status" | "earlier">): boolean {
  return status === "retired" && earlier.at(-1) === lineTakenOut;
}

export function hasEnded({ status }: Learning): boolean {
  return status === "retired" || status === "superseded";
}
