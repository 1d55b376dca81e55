import path from "node:path";
import { type AttemptTrace, isBrokerLost, type ReceiptEvidence } from "@loopwork/core/ports";
import { type Heard, hear } from "./receipt-in-stream.ts";
import { ledgerFile, ledgerHasToolUse } from "./ledger.ts";
import { judgeResult } from "./outcome.ts";
import { readPlainFile } from "./plain-file.ts";
import { pluginName } from "./verify-plugin.ts";
import { findTranscripts, type TranscriptTrace, traceReceipt } from "./transcript.ts";

/** Everything that outlives a crash of the service and says something about an attempt. */
export type Traces = {
  readonly heard: Heard;
  readonly transcript: TranscriptTrace;
  /** The ledger has a tool call of the attempt. */
  readonly toolUsed: boolean;
  /** The receipts' behaviour was proven for the harness that ran the attempt. */
  readonly proven: boolean;
};

/**
 * Collects the traces of an attempt and judges them. A trace that cannot be read makes the attempt
 * `unknown`; rejects where a broker was lost on the way, as the next look may read it.
 */
export async function findEvidence(
  attempt: AttemptTrace,
  where: {
    readonly configDir: string;
    readonly proven: (version: string | null) => Promise<boolean>;
  },
): Promise<ReceiptEvidence> {
  const heard = hear(attempt.stdout, attempt.receipt);
  try {
    const transcript = await traceReceipt(
      await findTranscripts(where.configDir, attempt.sessionId),
      attempt.receipt,
    );
    const toolUsed = ledgerHasToolUse(await readLedger(attempt.turnDir), attempt);
    return judge({
      heard,
      transcript,
      toolUsed,
      proven: await where.proven(heard.init?.version ?? null),
    });
  } catch (error) {
    if (isBrokerLost(error)) throw error;
    return {
      kind: "unknown",
      why: `The traces of the attempt cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

/**
 * What the record proves of an attempt whose process is gone (docs/specification.md#receipts).
 *
 * | traces                                            | evidence      | what the runtime then does        |
 * |---------------------------------------------------|---------------|-----------------------------------|
 * | an end of turn that names the receipt             | done          | nothing                           |
 * | an API error ended the turn, or stands last       | api-error     | a new receipt, by the error       |
 * | a tool ran, or a reply began                      | interrupted   | a new receipt, "look before you act" |
 * | the message is on record, and nothing after it    | asked-only    | the same receipt again            |
 * | no trace at all                                   | absent        | the same receipt again            |
 * | an unproven version and no trace that is positive | unknown       | a person decides                  |
 *
 * Traces of activity win over their absence: the transcript writes replies late, the output and the
 * ledger do not.
 */
export function judge({ heard, transcript, toolUsed, proven }: Traces): ReceiptEvidence {
  if (heard.result !== null) return judgeEnd(heard.result, heard);
  if (transcript.apiError !== null) return { kind: "api-error", outcome: transcript.apiError };
  if (toolUsed || transcript.replied || heard.replied) return { kind: "interrupted" };
  if (!proven)
    return {
      kind: "unknown",
      why: "This version of the harness has not been proven to write its transcript before it asks the model.",
    };
  if (transcript.asked) return hookRan(heard) ? { kind: "asked-only" } : { kind: "interrupted" };
  return heard.reached
    ? { kind: "asked-only" }
    : { kind: "absent", sessionExists: transcript.sessionExists };
}

function judgeEnd(result: NonNullable<Heard["result"]>, heard: Heard): ReceiptEvidence {
  const outcome = judgeResult(result, heard);
  return outcome.kind === "done"
    ? { kind: "done", usd: outcome.usd, minutes: outcome.minutes }
    : { kind: "api-error", outcome };
}

/**
 * An empty ledger proves something only when our hook was loaded. The harness names its plugins
 * before it asks the model; output that stops short of that shows that it never got so far.
 */
function hookRan(heard: Heard): boolean {
  return heard.init === null ? heard.lines > 0 : heard.init.plugins.includes(pluginName);
}

/** Bytes of the longest ledger that is read: a line for each tool call of a turn. */
const longestLedger = 64 * 1024 * 1024;

async function readLedger(turnDir: string): Promise<string> {
  const bytes = await readPlainFile(path.join(turnDir, ledgerFile), longestLedger);
  return bytes?.toString("utf8") ?? "";
}
