import type { Hooks, Trust, Turns } from "@loopwork/core/ports";
import { capabilities, testedVersions } from "./capabilities.ts";
import { checkArgs, planTurn } from "./command.ts";
import { configDirOf } from "./config-dir.ts";
import { parseHook, renderHook } from "./hooks.ts";
import type { HarnessAOptions } from "./options.ts";
import { outcome } from "./outcome.ts";
import { verifyPlugin } from "./plugin.ts";
import { probeHarness } from "./probe.ts";
import { findEvidence } from "./receipt.ts";
import { readLine } from "./signal.ts";
import { createTrust } from "./trust-file.ts";

export type HarnessA = { readonly turns: Turns; readonly trust: Trust; readonly hooks: Hooks };

/**
 * The adapter of harness A as its three ports. Throws `LOOP_E_PLUGIN_MISSING` and `LOOP_E_HARNESS_ARGS`, because the
 * harness itself would ignore a missing plugin, and a wrong argument would fail every turn.
 */
export function createHarnessA(options: HarnessAOptions): HarnessA {
  verifyPlugin(options.pluginDir);
  checkArgs(options.args);
  const configDir = configDirOf({ ...options.environment, ...options.env }, options.home);
  const turns: Turns = {
    harness: "A",
    capabilities,
    plan: (request) => planTurn(request, options),
    readLine,
    outcome,
    evidence: (attempt) => findEvidence(attempt, { configDir, proven: async (version) => isProven(version ?? (await probeHarness(options)).version) }),
    probe: () => probeHarness(options),
  };
  return { turns, trust: createTrust(options), hooks: { parse: parseHook, render: renderHook } };
}

function isProven(version: string | null): boolean {
  return version !== null && testedVersions.includes(version);
}
