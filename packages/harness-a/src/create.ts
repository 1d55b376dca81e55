import type { Hooks, OneShots, Trust, Turns } from "@loopwork/core/ports";
import { capabilities, testedVersions } from "./capabilities.ts";
import { checkArgs, planTurn } from "./command.ts";
import { configDirOf } from "./config-dir.ts";
import { evidenceOf, type Judges } from "./evidence-by-runner.ts";
import { parseHook, renderHook } from "./hooks.ts";
import type { HarnessAOptions } from "./options.ts";
import { createOneShots } from "./one-shot.ts";
import { outcome } from "./outcome.ts";
import { verifyPlugin } from "./verify-plugin.ts";
import { installedVersion, probeHarness } from "./probe.ts";
import { findEvidence } from "./headless-evidence.ts";
import { proveReceipts } from "./receipt-proof.ts";
import { readLine } from "./signal.ts";
import { terminalEvidence } from "./terminal/evidence.ts";
import { planTerminalTurn } from "./terminal/plan.ts";
import { createTrust } from "./trust-file.ts";

export type HarnessA = {
  readonly turns: Turns;
  readonly trust: Trust;
  readonly hooks: Hooks;
  readonly oneShots: OneShots;
};

/**
 * The adapter of harness A as its ports. Throws `LOOP_E_PLUGIN_MISSING` and `LOOP_E_HARNESS_ARGS`,
 * because the harness itself would ignore a missing plugin, and a wrong argument would fail every
 * turn.
 */
export function createHarnessA(options: HarnessAOptions): HarnessA {
  verifyPlugin(options.pluginDir);
  checkArgs(options.args);
  const configDir = (): string =>
    configDirOf({ ...options.environment, ...options.env }, options.home);
  const proofs = createProofs(options);
  const terminal = options.terminal ?? null;
  const runner = terminal?.runsTurns === true ? "tmux" : "headless";
  const judges: Judges = {
    headless: (attempt) =>
      findEvidence(attempt, { configDir: configDir(), proven: proofs.ofAttempt }),
    tmux: (attempt) => terminalEvidence(attempt, { configDir: configDir(), terminal }),
  };
  const turns: Turns = {
    capabilities,
    runner,
    plan(request) {
      const now = { ...options }; // As they are for this turn: whoever hands them in may change them between two.
      checkArgs(now.args);
      return terminal?.runsTurns === true
        ? planTerminalTurn(request, now, terminal, configDir())
        : planTurn(request, now);
    },
    readLine,
    outcome,
    evidence: (attempt) => evidenceOf(attempt, judges, runner),
    probe: () => probeHarness(options, proofs.ofInstalled),
  };
  return {
    turns,
    trust: createTrust(options),
    hooks: { parse: parseHook, render: renderHook },
    oneShots: createOneShots(options),
  };
}

/**
 * Whether a version's receipts may be trusted: it passed the contract suite, or a proof on this
 * machine, once a life; one that was lost on the way is made anew.
 */
function createProofs(options: HarnessAOptions): {
  ofInstalled(version: string): Promise<boolean>;
  ofAttempt(version: string | null): Promise<boolean>;
} {
  const made = new Map<string, Promise<boolean>>();
  const ofInstalled = async (version: string): Promise<boolean> => {
    if (testedVersions.includes(version)) return true;
    const proof = made.get(version) ?? proveReceipts(options);
    made.set(version, proof);
    return proof.catch((error: unknown) => {
      if (made.get(version) === proof) made.delete(version);
      throw error;
    });
  };
  return {
    ofInstalled,
    /** An attempt of another version than the installed one can no longer be proven. */
    async ofAttempt(version) {
      if (version !== null && testedVersions.includes(version)) return true;
      const installed = await installedVersion(options);
      return (
        installed !== null && (version === null || version === installed) && ofInstalled(installed)
      );
    },
  };
}
