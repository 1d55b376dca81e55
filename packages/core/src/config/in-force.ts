import { effectiveKeys } from "./document-keys.ts";
import type { Config } from "./schema.ts";

/**
 * When a running service takes up a changed key: where it is used the next time, such as at the
 * next turn or event, or after `loop restart`.
 */
export type TakesEffect = "next-use" | "restart";

/** What a service reads once, when it starts. */
export type ConfigAtStart = Pick<
  Config,
  "webhooks" | "state" | "env" | "store" | "integrations" | "logging"
> & {
  readonly service: Omit<Config["service"], "upgradeCommand">;
  readonly polling: Pick<Config["polling"], "enabled">;
  readonly routing: Pick<Config["routing"], "runner" | "spawnWorkdir"> & {
    readonly workspace: Pick<Config["routing"]["workspace"], "root">;
  };
  readonly instance: Pick<Config["instance"], "name">;
};

/**
 * A changed configuration as far as it is in force: what is read once stays as it was at the start.
 */
export function inForce(changed: Config, start: ConfigAtStart): Config {
  const { webhooks, state, env, store, integrations, logging } = start;
  const { runner, spawnWorkdir, workspace } = start.routing;
  return {
    ...changed,
    ...{ webhooks, state, env, store, integrations, logging },
    service: {
      ...changed.service,
      ...start.service,
      upgradeCommand: changed.service.upgradeCommand,
    },
    polling: { ...changed.polling, enabled: start.polling.enabled },
    routing: {
      ...changed.routing,
      runner,
      spawnWorkdir,
      workspace: { ...changed.routing.workspace, root: workspace.root },
    },
    instance: { ...changed.instance, name: start.instance.name },
  };
}

/** Keys with another value than before, and when each takes effect. */
export function changedKeys(
  before: Config,
  after: Config,
): readonly { readonly path: string; readonly takesEffect: TakesEffect }[] {
  const present = new Map(
    effectiveKeys(after, new Map()).map(({ path, value }) => [path, JSON.stringify(value)]),
  );
  return effectiveKeys(before, new Map()).flatMap(({ path, value }) =>
    present.get(path) === JSON.stringify(value) ? [] : [{ path, takesEffect: takesEffect(path) }],
  );
}

/** Throws for a key that the table does not have. */
export function takesEffect(path: string): TakesEffect {
  const found = effects[path];
  if (found === undefined) throw new Error(`${path} does not say when a change of it takes effect`);
  return found;
}

/**
 * Every key, so that a new one cannot be forgotten; a test holds the table to the schema and to
 * `inForce`.
 */
const effects: Readonly<Record<string, TakesEffect>> = {
  ...each("restart", "service", [
    "enabled",
    "host",
    "port",
    "exposed",
    "allowedHosts",
    "mcp.enabled",
    "hostIngresses",
    "tokenFile",
  ]),
  ...each("next-use", "service", ["upgradeCommand"]),
  ...each("restart", "polling", ["enabled"]),
  ...each("next-use", "polling", ["intervalSeconds"]),
  ...each("restart", "webhooks.hostWebhook", [
    "enabled",
    "host",
    "port",
    "path",
    "publicUrl",
    "secretEnv",
    "previousSecretEnv",
    "allowUnsigned",
    "dedupeBody",
    "maxBodyBytes",
    "pidfile",
    "events",
  ]),
  ...each("restart", "state", ["root"]),
  ...each("restart", "env", ["file"]),
  ...each("restart", "store", ["url", "urlEnv"]),
  ...each("restart", "routing", ["runner", "spawnWorkdir", "workspace.root"]),
  ...each("next-use", "routing", [
    "enabled",
    "spawnOnUnmatched",
    "repositories",
    "autoExecuteLabel",
    "authorizedUsers",
    "interaction.mode",
    "defaultHarness",
    "maxConcurrentTurns",
    "turnTimeoutSeconds",
    "trustForkBranches",
    "ownActivity",
    "ci.wakeOn",
  ]),
  ...each("next-use", "routing.control", ["requireStartCommand"]),
  ...each("next-use", "routing.control.keywords", [
    "start",
    "stop",
    "pause",
    "resume",
    "cleanup",
    "add-collaborator",
    "remove-collaborator",
  ]),
  ...each("next-use", "routing.coalesce", ["quietSeconds", "maxSeconds"]),
  ...each("next-use", "routing.loopBreaker", ["turns", "windowMinutes"]),
  ...each("next-use", "routing.budget", ["turns", "usd", "minutes"]),
  ...each("next-use", "routing.harnessTrust", ["enabled", "scope"]),
  ...each("next-use", "routing.workspace", [
    "strategy",
    "keepCheckoutOnClose",
    "checkoutAnyHead",
    "pool",
    "salvageDays",
  ]),
  ...each("next-use", "routing.graph", ["specDir", "definition", "deadlineSeconds", "hooks"]),
  ...each("next-use", "harnesses.A", [
    "command",
    "args",
    "env",
    "passEnv",
    "permissions",
    "allowedTools",
    "projectSettings",
    "sandbox",
    "sandboxDomains",
    "sandboxRead",
    "sandboxWrite",
    "sandboxExclude",
  ]),
  ...each("next-use", "harnesses.B", [
    "command",
    "args",
    "env",
    "passEnv",
    "permissions",
    "allowedTools",
    "projectSettings",
  ]),
  ...each("next-use", "workspace", ["defaultHost"]),
  ...each("restart", "integrations.codeHost", [
    "dialect",
    "host",
    "apiBaseUrl",
    "allowInsecureHttp",
    "tokenEnv",
  ]),
  ...each("restart", "instance", ["name"]),
  ...each("next-use", "instance.scope", ["mode", "workItems"]),
  ...each("next-use", "learnings.classifier", ["enabled", "harness", "deadlineSeconds"]),
  ...each("next-use", "retention", ["bodiesDays", "eventsDays"]),
  ...each("restart", "logging", ["level", "format"]),
  promptTemplate: "next-use",
  critics: "next-use",
  notify: "next-use",
};

function each(
  when: TakesEffect,
  folder: string,
  keys: readonly string[],
): Record<string, TakesEffect> {
  return Object.fromEntries(keys.map((key) => [`${folder}.${key}`, when]));
}
