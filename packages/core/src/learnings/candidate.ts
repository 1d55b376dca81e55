import { parse, stringify } from "yaml";
import { normalForm } from "./normal-form.ts";

/** What a candidate came from. Everything here was seen by us or said by somebody who may steer; nothing else can be a signal. */
export const signalKinds = ["test-fail", "ci-fail", "review-reject", "user-feedback", "run-fail", "pass-after-fail", "gate-block"] as const;
export type SignalKind = (typeof signalKinds)[number];

/** Who vouches for a signal: our own tests and gates, or a person that may steer the work item. */
export const vouchers = ["check", "gate", "authorized"] as const;
export type Voucher = (typeof vouchers)[number];

export const severities = ["low", "medium", "high"] as const;
export type Severity = (typeof severities)[number];

/** Reasons that let a single occurrence pass the gate. A bare "high" does not. */
export const severityReasons = ["data-loss", "secret-leak", "security", "destructive-command", "prod-outage", "history-rewrite", "user-said-always", "user-said-never"] as const;
export type SeverityReason = (typeof severityReasons)[number];

/** Categories that there are; also names of files, hence a closed list. */
export const categories = ["architecture", "build", "ci", "code-style", "data", "dependencies", "docs", "git", "process", "release", "security", "testing", "tools", "general"] as const;
export type Category = (typeof categories)[number];

/** One occurrence of something that may be worth remembering (facts/learnings.md 1.6). */
export type Candidate = {
  readonly id: string;
  readonly text: string;
  readonly category: Category;
  readonly signal: { readonly kind: SignalKind; readonly by: Voucher; readonly ref: string };
  readonly severity: Severity;
  readonly severityReason: SeverityReason | null;
  readonly workItem: string;
  readonly run: string;
  readonly harness: string;
  readonly instance: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** What was seen, at most 500 characters. It is shown to people and never becomes part of a learning. */
  readonly evidence: string;
};

/** Longest learning in characters. */
export const longestLearning = 160;
const longestEvidence = 500;

/** Why a text cannot be a learning; null when it can. */
export function unfit(text: string): string | null {
  if (text !== oneLine(text)) return "a learning is one line without control characters";
  if (text.length > longestLearning) return `a learning has at most ${longestLearning} characters, and this has ${text.length}`;
  if (text.includes("<!--") || text.includes("-->")) return "a learning holds no HTML comment";
  if (normalForm(text).content.length < 2) return "a learning says something: it needs at least two words with content";
  return null;
}

/** A text on one line, without control and other invisible characters. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]/gu, " ").replaceAll(/ {2,}/gu, " ").trim();
}

/** What makes two candidates the same occurrence: the same words out of the same run of the same work item. */
export function occurrenceOf({ workItem, run, text }: Pick<Candidate, "workItem" | "run" | "text">): string {
  return `${workItem}|${run}|${normalForm(text).key}`;
}

export function formatCandidate(candidate: Candidate): string {
  return stringify({ v: 1, ...candidate, at: candidate.at, evidence: candidate.evidence.slice(0, longestEvidence) }, { lineWidth: 0 });
}

export type ParsedCandidate = { readonly ok: true; readonly candidate: Candidate } | { readonly ok: false; readonly problem: string };

/** Reads a candidate back. What a checkout holds was written by whoever could write there, hence nothing is believed by its look. */
export function parseCandidate(text: string): ParsedCandidate {
  const value = fieldsOf(text);
  if (value === null) return { ok: false, problem: "it is no YAML map" };
  if (value["v"] !== 1) return { ok: false, problem: "v: 1 is the only version that is understood" };
  const signal = isFields(value["signal"]) ? value["signal"] : {};
  const words = textOf(value["text"]);
  const fault = unfit(words);
  if (fault !== null) return { ok: false, problem: `text: ${fault}` };
  const [kind, by] = [oneOf(signal["kind"], signalKinds), oneOf(signal["by"], vouchers)];
  if (kind === null || by === null) return { ok: false, problem: `signal: kind is one of ${signalKinds.join(", ")}, and by one of ${vouchers.join(", ")}` };
  const severity = oneOf(value["severity"], severities);
  if (severity === null) return { ok: false, problem: `severity is one of ${severities.join(", ")}` };
  const [id, workItem, run, at] = [textOf(value["id"]), textOf(value["workItem"]), textOf(value["run"]), value["at"]];
  if (id === "" || workItem === "" || run === "") return { ok: false, problem: "id, workItem and run must not be empty" };
  if (typeof at !== "number" || !Number.isSafeInteger(at) || at < 0) return { ok: false, problem: "at must be milliseconds since 1970" };
  return {
    ok: true,
    candidate: {
      id,
      text: words,
      category: oneOf(value["category"], categories) ?? "general",
      signal: { kind, by, ref: oneLine(textOf(signal["ref"])).slice(0, 300) },
      severity,
      severityReason: oneOf(value["severityReason"], severityReasons),
      workItem,
      run,
      harness: textOf(value["harness"]),
      instance: textOf(value["instance"]),
      at,
      evidence: textOf(value["evidence"]).slice(0, longestEvidence),
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A YAML map as plain data; null when it is none. Aliases are not followed, so that nothing can be blown up. */
export function fieldsOf(text: string): Fields | null {
  try {
    const value: unknown = parse(text, { maxAliasCount: 0, uniqueKeys: true });
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function oneOf<T extends string>(value: unknown, among: readonly T[]): T | null {
  return among.find((each) => each === value) ?? null;
}
