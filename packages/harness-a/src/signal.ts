import type { HarnessSignal } from "@loopwork/core/ports";
import { parseStreamLine } from "./stream-line.ts";

/**
 * What a line of standard output tells about a running attempt; null for lines that tell nothing.
 *
 *     queued ──▶ started ──▶ init ──▶ echo ──▶ reply … ──▶ result ──▶ completed
 *       └──(answered before)──▶ echo without a time ──▶ completed, and no result ever
 *
 * `result` therefore means that the harness is through with the receipt, one way or another: the
 * runtime closes standard input on it, and `outcome` says how it went.
 */
export function readLine(line: string): HarnessSignal | null {
  const said = parseStreamLine(line);
  if (said === null) return null;
  switch (said.kind) {
    case "lifecycle":
      if (said.state === "started") return { kind: "accepted", receipt: said.receipt };
      return endStates.has(said.state) ? { kind: "result", receipts: [said.receipt] } : null;
    case "init":
      return {
        kind: "session",
        sessionId: said.sessionId,
        version: said.version,
        sandboxed: said.sandboxed,
      };
    case "echo":
      return said.duplicate
        ? { kind: "result", receipts: [said.receipt] }
        : { kind: "reached-model", receipt: said.receipt };
    case "reply":
      return { kind: "reached-model", receipt: null };
    case "result":
      return { kind: "result", receipts: said.result.receipts };
    case "limit":
    case "other":
      return null;
  }
}

const endStates: ReadonlySet<string> = new Set(["completed", "cancelled", "discarded", "refused"]);
