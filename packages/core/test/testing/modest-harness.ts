import type { Outcome } from "../../src/turn/outcome.ts";
import type { AdapterStage } from "../../src/testing/adapter/stage.ts";

/**
 * The same harness with little to say: it tells no troubles apart, reports nothing, knows no hooks
 * and no trust, takes its prompt from a file that the message names, is through with its input at
 * once, and finds conversations only in their folder.
 */
export function modest(stage: AdapterStage): AdapterStage {
  const { turns, program, place } = stage;
  const files = new Map<string, string>();
  return {
    ...stage,
    turns: {
      ...turns,
      capabilities: {
        ...turns.capabilities,
        presetSessionId: false,
        promptVia: "file",
        tells: [],
        reports: [],
      },
      plan(request) {
        files.set(request.receipt, turns.plan(request).stdin);
        return { ...turns.plan(request), stdin: request.receipt, closeInput: "after-write" };
      },
      outcome: (observed) => modestly(turns.outcome(observed)),
      probe: async () => ({
        found: true,
        command: "tiny",
        version: "2",
        tested: false,
        login: "unknown",
        hint: "version 2 was not compared",
      }),
    },
    trust: { check: async () => null, prepare: async () => ({ kind: "already" }) },
    program: { ...program, hookInput: async () => null, trustFile: null },
    async start(plan, workdir) {
      const child = await stage.start(
        workdir === place.elsewhere ? { ...plan, argv: ["tiny", "resume", "nobody"] } : plan,
        workdir,
      );
      return { ...child, write: (text) => child.write(files.get(text) ?? "") };
    },
  };
}

function modestly(outcome: Outcome): Outcome {
  if (outcome.kind === "done") return { ...outcome, denials: [], usd: 0 };
  const told = [
    "swallowed",
    "session-not-found",
    "session-id-taken",
    "timeout",
    "output-limit",
    "killed",
  ].includes(outcome.kind);
  return told ? outcome : { kind: "unclear", detail: "" };
}
