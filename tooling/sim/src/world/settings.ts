import { parseConfig, policyOf, settingsOf } from "@loopwork/core/config";
import type { RuntimeSettings } from "@loopwork/runtime";
import { agentToken } from "../host/host.ts";

/** What differs between runs. */
export type Knobs = {
  readonly quietSeconds: number;
  readonly maxConcurrentTurns: number;
  readonly polling: boolean;
  /** Turns of one work item, after which it waits; null for no bound. */ readonly budgetTurns:
    | number
    | null;
};

/**
 * The runtime's settings out of a configuration as a person would write it. Nothing in them is on a
 * disk.
 */
export function settingsFor({
  quietSeconds,
  maxConcurrentTurns,
  polling,
  budgetTurns,
}: Knobs): RuntimeSettings {
  const text = [
    "service: { enabled: false }",
    "webhooks: { hostWebhook: { enabled: true } }",
    `polling: { enabled: ${polling}, intervalSeconds: 20 }`,
    "routing:",
    "  repositories: [practice/garden]",
    "  authorizedUsers: [ada]",
    "  workspace: { root: /checkouts }",
    `  coalesce: { quietSeconds: ${quietSeconds}, maxSeconds: ${quietSeconds * 4} }`,
    `  maxConcurrentTurns: ${maxConcurrentTurns}`,
    "  turnTimeoutSeconds: 60",
    ...(budgetTurns === null ? [] : [`  budget: { turns: ${budgetTurns} }`]),
    "integrations: { codeHost: { host: code.example } }",
  ].join("\n");
  const parsed = parseConfig(text, { file: "simulated" });
  if (!parsed.ok)
    throw new Error(`the simulated configuration is wrong: ${JSON.stringify(parsed.errors)}`);
  const { config } = parsed;
  return {
    config,
    policy: policyOf(config),
    dispatch: settingsOf(config),
    configFile: null,
    turnsDir: "/turns",
    scratchDir: "/scratch",
    binDir: "/bin",
    workspaceRoot: "/checkouts",
    graphFile: null,
    artifactsDir: "/artifacts",
    sandbox: { hide: [], locked: [], read: [], write: [] },
    env: { PATH: "/bin", LOOP_HOST_TOKEN: agentToken },
    secretNames: ["LOOP_HOST_TOKEN"],
  };
}
