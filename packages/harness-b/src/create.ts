import type { Hooks, NewConversation, OneShots, Trust, Turns } from "@loopwork/core/ports";
import { capabilities } from "./capabilities.ts";
import { checkArgs, planTurn } from "./command.ts";
import { parseHook, renderHook } from "./hooks.ts";
import type { HarnessBOptions } from "./options.ts";
import { createOneShots } from "./one-shot.ts";
import { outcome, readLine } from "./outcome.ts";
import { createChat, probeHarness } from "./probe.ts";
import { findEvidence } from "./receipt.ts";
import { createTrust } from "./trust.ts";

/** The adapter of harness B as its ports, and the call that makes a chat before its first turn. */
export type HarnessB = {
  readonly turns: Turns;
  readonly trust: Trust;
  readonly hooks: Hooks;
  readonly oneShots: OneShots;
  readonly createChat: () => Promise<NewConversation>;
};

/** Throws `LOOP_E_HARNESS_ARGS` for arguments that would fail, or mislead, every turn. */
export function createHarnessB(options: HarnessBOptions): HarnessB {
  checkArgs(options.args);
  const plan: Turns["plan"] = (request) => {
    const now = { ...options }; // As they are for this turn: whoever hands them in may change them between two.
    checkArgs(now.args);
    return planTurn(request, now);
  };
  return {
    turns: {
      capabilities,
      runner: "headless",
      plan,
      readLine,
      outcome,
      evidence: findEvidence,
      probe: () => probeHarness(options),
    },
    trust: createTrust(),
    hooks: { parse: parseHook, render: renderHook },
    oneShots: createOneShots(options),
    createChat: () => createChat(options),
  };
}
