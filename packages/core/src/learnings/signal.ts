import type { Authority } from "../control/authority-type.ts";
import {
  type Candidate,
  severities,
  severityReasons,
  signalKinds,
  soundRef,
  type Voucher,
} from "./candidate.ts";
import { categories, oneOf } from "./vocabulary.ts";

/** What somebody says that was learned, before it is looked at. */
export type Said = {
  readonly text: string;
  readonly signal: string;
  readonly category: string;
  readonly severity: string;
  readonly severityReason: string;
  readonly ref: string;
};

/**
 * Who says it. `heard` is the authority of everybody whose words reached the turn; `untouched`:
 * nobody was heard in the whole conversation but people who may steer.
 */
export type Speaker =
  | { readonly kind: "person"; readonly run: string }
  | { readonly kind: "agent"; readonly heard: readonly Authority[]; readonly untouched: boolean };

/** Where it was said, and by whom. */
export type SaidIn = Pick<Candidate, "id" | "workItem" | "harness" | "instance" | "at"> & {
  readonly by: Speaker;
};

/**
 * However many turns a work item has, what its agents say is one occurrence: who talked one into it
 * once can do so again.
 */
const runOfAgents = "agent";

/**
 * A candidate out of what was said; a text where it can be none. Checks and gates are seen by us;
 * that a person rejected or corrected something counts only where a person who may steer spoke, so
 * that no stranger's comment becomes a learning.
 */
export function candidateOf(said: Said, { by: speaker, ...where }: SaidIn): Candidate | string {
  const kind = oneOf(said.signal, signalKinds);
  if (kind === null)
    return `${JSON.stringify(said.signal)} is no signal; there are ${signalKinds.join(", ")}`;
  const category = oneOf(said.category, categories);
  if (category === null)
    return `${JSON.stringify(said.category)} is no category; there are ${categories.join(", ")}`;
  const severity = oneOf(said.severity, severities);
  if (severity === null)
    return `${JSON.stringify(said.severity)} is no severity; there are ${severities.join(", ")}`;
  const severityReason = oneOf(said.severityReason, severityReasons);
  if (said.severityReason !== "" && severityReason === null)
    return `${JSON.stringify(said.severityReason)} is no reason; there are ${severityReasons.join(", ")}`;
  const ref = soundRef(said.ref);
  if (ref === null)
    return "--ref is one address, path, commit or work item without blanks, at most 300 characters";
  const heard = speaker.kind === "person" || speaker.heard.includes("authorized");
  const by = voucherOf(kind, heard);
  if (by === null)
    return "nobody who may steer said anything in this turn, so there was no review and no correction to learn from";
  if (severityReason !== null && speaker.kind === "agent" && !speaker.untouched)
    return "words of somebody who may not steer reached this conversation, so one occurrence is not enough: leave the reason out, and it counts as one of three";
  if (severityReason?.startsWith("user-said-") === true && !heard)
    return "nobody who may steer said anything in this turn";
  return {
    ...where,
    run: speaker.kind === "person" ? speaker.run : runOfAgents,
    text: said.text,
    category,
    signal: { kind, by, ref },
    severity,
    severityReason,
    evidence: "",
  };
}

function voucherOf(kind: Candidate["signal"]["kind"], heard: boolean): Voucher | null {
  if (kind === "gate-block") return "gate";
  if (kind === "review-reject" || kind === "user-feedback") return heard ? "authorized" : null;
  return "check";
}
