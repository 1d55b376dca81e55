import type { Candidate } from "../../src/learnings/candidate.ts";

export const now = 1_800_000_000_000;

/** A candidate of a run, with an id of its own for each run and text. */
export function candidate(text: string, run: string, more: Partial<Candidate> = {}): Candidate {
  return {
    id: `${run}-${text.length}-${text.slice(0, 20)}`,
    text,
    category: "general",
    signal: { kind: "test-fail", by: "check", ref: "" },
    severity: "medium",
    severityReason: null,
    workItem: "host:acme/shop#1",
    run,
    harness: "A",
    instance: "default",
    at: now - 1000,
    evidence: "",
    ...more,
  };
}
