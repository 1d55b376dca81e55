import type { AttemptTrace, ReceiptEvidence } from "@loopwork/core/ports";
import { parseResult } from "./result.ts";

/**
 * Harness B takes no receipt, so after a crash only a result in the kept output proves anything; everything else is
 * for a person to decide (decisions.md 4).
 */
export async function findEvidence(attempt: Pick<AttemptTrace, "stdout">): Promise<ReceiptEvidence> {
  const result = attempt.stdout.map(parseResult).findLast((line) => line !== null) ?? null;
  if (result !== null && !result.failed) return { kind: "done", usd: 0, minutes: result.durationMs / 60_000 };
  return { kind: "unknown", why: "Harness B keeps no record by which an attempt without a result could be judged." };
}
