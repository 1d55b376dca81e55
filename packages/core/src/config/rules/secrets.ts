import type { Finding, Rule } from "../rules.ts";
import { secretFault, shortestSecret } from "../secret-value.ts";

/** Rules about the values of the variables that hold secrets. */
export const secretRules: readonly Rule[] = [usable, longEnough];

/**
 * A secret that is set to something unusable is a mistake, never "no secret": it is refused
 * whichever daemon runs, so that neither a receiver nor `loop init` takes it for unset.
 */
function usable(...[config, facts]: Parameters<Rule>): readonly Finding[] {
  const { secretEnv, previousSecretEnv } = config.webhooks.hostWebhook;
  const named: readonly (readonly [path: string, name: string | null])[] = [
    ["webhooks.hostWebhook.secretEnv", secretEnv],
    ["webhooks.hostWebhook.previousSecretEnv", previousSecretEnv],
    ["integrations.codeHost.tokenEnv", config.integrations.codeHost.tokenEnv],
    ["store.urlEnv", config.store.urlEnv],
  ];
  return named.flatMap(([path, name]): readonly Finding[] => {
    const reading = name === null ? undefined : facts.secrets.get(name);
    if (reading?.kind !== "refused") return [];
    const hint = `set ${name} to the whole value, in quotes if it has a # or blanks in it, or unset it`;
    return [{ level: "error", path, message: `${name} ${secretFault(reading.why)}`, hint }];
  });
}

function longEnough(...[config, facts]: Parameters<Rule>): readonly Finding[] {
  const { secretEnv, previousSecretEnv } = config.webhooks.hostWebhook;
  if (!facts.daemons.receiver) return [];
  const path = "webhooks.hostWebhook.secretEnv";
  const short = [secretEnv, previousSecretEnv].filter((name) => {
    const reading = name === null ? undefined : facts.secrets.get(name);
    return reading?.kind === "set" && reading.short;
  });
  return short.map((name): Finding => ({
    level: "warning",
    path,
    message: `${name} has fewer than ${shortestSecret} characters and can be guessed`,
    hint: `use a random one, such as the output of: openssl rand -hex 32`,
  }));
}
