import type { Hooks, Trust, Turns } from "@loopwork/core/ports";
import { capabilities } from "./capabilities.ts";
import { planTurn } from "./command.ts";
import { parseHook, renderHook } from "./hooks.ts";
import type { HarnessBOptions } from "./options.ts";
import { outcome, readLine } from "./outcome.ts";
import { createChat, probeHarness } from "./probe.ts";
import { findEvidence } from "./receipt.ts";
import { createTrust } from "./trust.ts";

/** The adapter of harness B as its three ports, and the call that makes a chat before its first turn. */
export type HarnessB = { readonly turns: Turns; readonly trust: Trust; readonly hooks: Hooks; readonly createChat: () => Promise<string> };

export function createHarnessB(options: HarnessBOptions): HarnessB {
  return {
    turns: { harness: "B", capabilities, plan: (request) => planTurn(request, options), readLine, outcome, evidence: findEvidence, probe: () => probeHarness(options) },
    trust: createTrust(),
    hooks: { parse: parseHook, render: renderHook },
    createChat: () => createChat(options),
  };
}
