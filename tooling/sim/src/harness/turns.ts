import type { Outcome, ReceiptEvidence, Turns } from "@loopwork/core/ports";
import type { Transcripts } from "./transcripts.ts";

/** A line of the simulated harness's standard output. */
export type Line =
  | { readonly type: "accepted"; readonly receipt: string }
  | { readonly type: "duplicate"; readonly receipt: string }
  | { readonly type: "refusal"; readonly outcome: Outcome }
  | { readonly type: "result"; readonly receipt: string; readonly outcome: Outcome };

/** What is written to the child's standard input: the message under its receipt. */
export type Input = { readonly receipt: string; readonly prompt: string };

export const formatLine = (line: Line): string => JSON.stringify(line);
const parseLine = (text: string): Line => JSON.parse(text);
export const parseInput = (text: string): Input => JSON.parse(text);

/**
 * The harness port over transcripts in memory. What an attempt came to is read from its output and
 * its record alone, as the adapter of harness A reads its own.
 */
export function createTurns(transcripts: Transcripts, loggedOut: () => boolean): Turns {
  return {
    capabilities: {
      presetSessionId: true,
      receipts: true,
      headless: true,
      interactive: false,
      stopGateInHeadless: true,
      promptVia: "stdin",
      tells: [],
      reports: [],
    },
    runner: "headless",
    plan: ({ mode, sessionId, receipt, prompt, env }) => ({
      argv: ["harness", mode, sessionId],
      env,
      stdin: JSON.stringify({ receipt, prompt }),
      closeInput: "after-result",
    }),
    readLine(text) {
      const line = parseLine(text);
      if (line.type === "result") return { kind: "result", receipts: [line.receipt] };
      return line.type === "accepted" ? { kind: "accepted", receipt: line.receipt } : null;
    },
    outcome({ receipt, end, stdout }) {
      const lines = stdout.map(parseLine);
      const result = lines.findLast((line) => line.type === "result" && line.receipt === receipt);
      if (result?.type === "result") return result.outcome;
      const refusal = lines.at(-1);
      if (refusal?.type === "refusal") return refusal.outcome;
      if (refusal?.type === "duplicate" && refusal.receipt === receipt)
        return { kind: "swallowed" };
      if (end.stopped === "deadline") return { kind: "timeout" };
      if (end.stopped !== null) return { kind: "killed", signal: end.signal, asked: true };
      return end.signal === null
        ? { kind: "unclear", detail: "the harness ended without a word" }
        : { kind: "killed", signal: end.signal, asked: false };
    },
    evidence: async ({ receipt, sessionId, stdout }): Promise<ReceiptEvidence> => {
      const result = stdout
        .map(parseLine)
        .findLast((line) => line.type === "result" && line.receipt === receipt);
      if (result?.type === "result")
        return result.outcome.kind === "done"
          ? { kind: "done", usd: result.outcome.usd, minutes: result.outcome.minutes }
          : { kind: "api-error", outcome: result.outcome };
      const message = transcripts.find(sessionId, receipt);
      if (message === null) return { kind: "absent", sessionExists: transcripts.exists(sessionId) };
      if (message.failed !== null) return { kind: "api-error", outcome: message.failed };
      return message.acted ? { kind: "interrupted" } : { kind: "asked-only" };
    },
    probe: async () => ({
      found: true,
      command: "harness",
      version: "1.0.0",
      tested: true,
      login: loggedOut() ? "no" : "yes",
      hint: null,
    }),
  };
}
