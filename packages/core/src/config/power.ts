import { effectiveKeys } from "./document-keys.ts";
import type { Config } from "./schema.ts";

/**
 * What somebody who may write a key can do by it: run a program here, have a secret sent, decide
 * who is heard and what can be reached, or choose files. A person who is asked to trust a
 * configuration is shown this.
 */
export type ConfigPower = "program" | "secret" | "access" | "files" | "none";

/**
 * Keys of which the worst is known; the longest beginning counts. Each other key stands for access,
 * until somebody looked at it.
 */
const powers: Readonly<Record<string, ConfigPower>> = {
  harnesses: "program",
  "harnesses.A.passEnv": "secret",
  "harnesses.B.passEnv": "secret",
  harnessArgs: "program",
  critics: "program",
  notify: "program",
  promptTemplate: "program",
  "env.file": "program",
  "service.upgradeCommand": "program",
  "routing.graph.hooks": "program",
  "routing.graph.definition": "program",
  "routing.harnessTrust": "program",
  "routing.runner": "none",
  "routing.defaultHarness": "none",
  "learnings.classifier": "none",
  integrations: "secret",
  "integrations.codeHost.dialect": "none",
  "store.urlEnv": "secret",
  "store.url": "files",
  state: "files",
  "service.tokenFile": "files",
  "webhooks.hostWebhook.pidfile": "files",
  // A repository of somebody else's brings hooks and filters, which the sessions' git runs.
  "routing.spawnWorkdir": "program",
  "routing.workspace": "files",
  "routing.workspace.root": "program",
  "routing.workspace.checkoutAnyHead": "access",
  "routing.graph.specDir": "files",
  "routing.graph.deadlineSeconds": "none",
  "routing.control.keywords": "none",
  "routing.interaction": "none",
  "routing.maxConcurrentTurns": "none",
  "routing.turnTimeoutSeconds": "none",
  "routing.ownActivity": "none",
  "routing.coalesce": "none",
  "routing.loopBreaker": "none",
  "routing.budget": "none",
  "routing.ci": "none",
  polling: "none",
  retention: "none",
  logging: "none",
};

export function powerOf(path: string): ConfigPower {
  const parts = path.split(".");
  for (let length = parts.length; length > 0; length--) {
    const power = powers[parts.slice(0, length).join(".")];
    if (power !== undefined) return power;
  }
  return "access";
}

/** A key with what may be done by it; `before` is its value in the other configuration. */
export type PowerfulKey = {
  readonly path: string;
  readonly power: ConfigPower;
  readonly before: unknown;
  readonly value: unknown;
};

const order: readonly ConfigPower[] = ["program", "secret", "access", "files", "none"];

/** Keys whose values differ between two configurations, the most powerful first. */
export function changedPowerfulKeys(before: Config, after: Config): readonly PowerfulKey[] {
  const old = new Map(effectiveKeys(before, new Map()).map(({ path, value }) => [path, value]));
  return effectiveKeys(after, new Map())
    .filter(({ path, value }) => JSON.stringify(value) !== JSON.stringify(old.get(path)))
    .map(({ path, value }) => ({ path, power: powerOf(path), before: old.get(path), value }))
    .toSorted((a, b) => order.indexOf(a.power) - order.indexOf(b.power));
}
