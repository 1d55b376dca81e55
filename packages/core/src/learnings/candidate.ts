import { parse, stringify } from "yaml";
import { normalForm } from "./normal-form.ts";
import { type Category, categories, malformed, oneOf } from "./vocabulary.ts";

/**
 * What a candidate came from. Everything here was seen by us or said by somebody who may steer;
 * nothing else can be a signal.
 */
export const signalKinds = [
  "test-fail",
  "ci-fail",
  "review-reject",
  "user-feedback",
  "run-fail",
  "pass-after-fail",
  "gate-block",
] as const;
export type SignalKind = (typeof signalKinds)[number];

/** Who vouches for a signal: our own tests and gates, or a person that may steer the work item. */
export const vouchers = ["check", "gate", "authorized"] as const;
export type Voucher = (typeof vouchers)[number];

export const severities = ["low", "medium", "high"] as const;
export type Severity = (typeof severities)[number];

/** Reasons that let a single occurrence pass the gate. A bare "high" does not. */
export const severityReasons = [
  "data-loss",
  "secret-leak",
  "security",
  "destructive-command",
  "prod-outage",
  "history-rewrite",
  "user-said-always",
  "user-said-never",
] as const;
export type SeverityReason = (typeof severityReasons)[number];

/** One occurrence of something that may be worth remembering. */
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
  /**
   * What was seen, at most 500 characters. It is shown to people and never becomes part of a
   * learning.
   */
  readonly evidence: string;
};

const longestEvidence = 500;

/**
 * Where a candidate can be seen: one address, path, commit or work item. It stands in files that
 * sessions read, so it has no room for words or markup. Null where it is something else; nothing
 * said is nothing.
 */
export function soundRef(ref: string): string | null {
  return /^[\w./:@#?=&%+~-]{0,300}$/u.test(ref) ? ref : null;
}

/** Why a text cannot be a learning; null when it can. */
export function whyUnfit(text: string): string | null {
  return (
    malformed(text) ??
    (normalForm(text).content.length < 2
      ? "a learning says something: it needs at least two words with content"
      : null)
  );
}

/**
 * What makes two candidates the same occurrence: the same words out of the same run of the same
 * work item.
 */
export function occurrenceOf({
  workItem,
  run,
  text,
}: Pick<Candidate, "workItem" | "run" | "text">): string {
  return `${workItem}|${run}|${normalForm(text).key}`;
}

export function formatCandidate(candidate: Candidate): string {
  return stringify(
    {
      v: 1,
      ...candidate,
      at: candidate.at,
      evidence: candidate.evidence.slice(0, longestEvidence),
    },
    { lineWidth: 0 },
  );
}

export type ParsedCandidate =
  | { readonly ok: true; readonly candidate: Candidate }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads a candidate back. What a checkout holds was written by whoever could write there, hence
 * nothing is believed by its look.
 */
export function parseCandidate(text: string): ParsedCandidate {
  const value = fieldsOf(text);
  if (value === null) return { ok: false, problem: "it is no YAML map" };
  if (value["v"] !== 1)
    return { ok: false, problem: "v: 1 is the only version that is understood" };
  const signal = isFields(value["signal"]) ? value["signal"] : {};
  const words = textOf(value["text"]);
  const fault = whyUnfit(words);
  if (fault !== null) return { ok: false, problem: `text: ${fault}` };
  const [kind, by] = [oneOf(signal["kind"], signalKinds), oneOf(signal["by"], vouchers)];
  if (kind === null || by === null)
    return {
      ok: false,
      problem: `signal: kind is one of ${signalKinds.join(", ")}, and by one of ${vouchers.join(", ")}`,
    };
  const severity = oneOf(value["severity"], severities);
  if (severity === null)
    return { ok: false, problem: `severity is one of ${severities.join(", ")}` };
  const [id, workItem, run, at] = [
    textOf(value["id"]),
    textOf(value["workItem"]),
    textOf(value["run"]),
    value["at"],
  ];
  if (id === "" || workItem === "" || run === "")
    return { ok: false, problem: "id, workItem and run must not be empty" };
  if (typeof at !== "number" || !Number.isSafeInteger(at) || at < 0)
    return { ok: false, problem: "at must be milliseconds since 1970" };
  return {
    ok: true,
    candidate: {
      id,
      text: words,
      category: oneOf(value["category"], categories) ?? "general",
      signal: { kind, by, ref: soundRef(textOf(signal["ref"])) ?? "" },
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

/**
 * A YAML map as plain data; null when it is none. Aliases are not followed, so that nothing can be
 * blown up.
 */
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
