import type { Decided } from "../decide/decision-row.ts";
import type { RequestRefusal } from "../control/reason.ts";

/**
 * A request that only the graph could refuse: whoever asked learns it by what the command answers
 * and by `loop why`. Other events stay as they were decided.
 */
export function refuseRequest(decided: Decided, reason: RequestRefusal): Decided {
  const { event, decision, lines } = decided;
  if (
    event?.kind !== "control" ||
    event.request.verb !== "graph" ||
    decision.verdict.kind !== "noted"
  )
    return decided;
  return {
    ...decided,
    decision: { ...decision, verdict: { kind: "refused", verb: "graph" }, reason },
    lines: lines.map((line) =>
      line.kind === "delivery.decided"
        ? { ...line, level: "warn", reason, fields: { ...line.fields, verdict: "refused" } }
        : line,
    ),
  };
}
