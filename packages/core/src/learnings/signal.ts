import type { Authority } from "../control/authority-type.ts";
import { type Candidate, categories, oneLine, oneOf, severities, severityReasons, signalKinds, type Voucher } from "./candidate.ts";

/** What somebody says that was learned, before it is looked at. */
export type Said = { readonly text: string; readonly signal: string; readonly category: string; readonly severity: string; readonly severityReason: string; readonly ref: string };

/** Where it was said; `heard` is the authority of everybody whose words reached the turn. */
export type SaidIn = Pick<Candidate, "id" | "workItem" | "run" | "harness" | "instance" | "at"> & { readonly heard: readonly Authority[] };

/**
 * A candidate out of what was said; a text where it can be none. Checks and gates are seen by us; that a person rejected or
 * corrected something counts only where a person who may steer spoke, so that no stranger's comment becomes a learning.
 */
export function candidateOf(said: Said, { heard, ...where }: SaidIn): Candidate | string {
  const kind = oneOf(said.signal, signalKinds);
  if (kind === null) return `${JSON.stringify(said.signal)} is no signal; there are ${signalKinds.join(", ")}`;
  const category = oneOf(said.category, categories);
  if (category === null) return `${JSON.stringify(said.category)} is no category; there are ${categories.join(", ")}`;
  const severity = oneOf(said.severity, severities);
  if (severity === null) return `${JSON.stringify(said.severity)} is no severity; there are ${severities.join(", ")}`;
  const severityReason = oneOf(said.severityReason, severityReasons);
  if (said.severityReason !== "" && severityReason === null) return `${JSON.stringify(said.severityReason)} is no reason; there are ${severityReasons.join(", ")}`;
  const by = voucherOf(kind, heard);
  if (by === null) return "nobody who may steer said anything in this turn, so there was no review and no correction to learn from";
  if (by !== "authorized" && severityReason?.startsWith("user-said-") === true && !heard.includes("authorized")) return "nobody who may steer said anything in this turn";
  return { ...where, text: said.text, category, signal: { kind, by, ref: oneLine(said.ref).slice(0, 300) }, severity, severityReason, evidence: "" };
}

function voucherOf(kind: Candidate["signal"]["kind"], heard: readonly Authority[]): Voucher | null {
  if (kind === "gate-block") return "gate";
  if (kind === "review-reject" || kind === "user-feedback") return heard.includes("authorized") ? "authorized" : null;
  return "check";
}
