import type { AttemptTrace, ReceiptEvidence } from "@loopwork/core/ports";
import { elsewhereWords, lastResult, parseMessage } from "./result.ts";

/**
 * Harness B takes no receipt, so after a crash only a result in the kept output proves anything,
 * and only of a message that was read: a daemon that dies before it has written the message leaves
 * a child that answers nothing at all. Everything else is for a person to decide.
 */
export async function findEvidence(
  attempt: Pick<AttemptTrace, "stdout" | "sessionId">,
): Promise<ReceiptEvidence> {
  const { result, elsewhere } = lastResult(attempt.stdout, attempt.sessionId);
  if (elsewhere !== null)
    return { kind: "unknown", why: elsewhereWords(elsewhere, attempt.sessionId) };
  const hasRead = attempt.stdout.some((line) => (parseMessage(line) ?? "").trim() !== "");
  if (result !== null && !result.failed && !hasRead)
    return {
      kind: "unknown",
      why: "Harness B ended a turn, and its output does not show that it had read the message.",
    };
  if (result !== null && !result.failed)
    return { kind: "done", usd: 0, minutes: result.durationMs / 60_000 };
  return {
    kind: "unknown",
    why: "Harness B keeps no record by which an attempt without a result could be judged.",
  };
}
