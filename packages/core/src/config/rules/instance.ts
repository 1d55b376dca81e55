import type { Finding, Rule } from "../rules.ts";

/** Rules about this instance among others, its store and its clock. */
export const instanceRules: readonly Rule[] = [named, store, token, clock];

/** A name of one's own is needed as soon as others must tell this instance from themselves. */
function named(config: Parameters<Rule>[0]): readonly Finding[] {
  if (config.instance.name !== "default") return [];
  const hint = "set instance.name, such as build-1";
  if (config.instance.scope.mode === "addressed")
    return [
      {
        level: "error",
        path: "instance.name",
        message: "must be set for instance.scope.mode addressed: comments name it",
        hint,
      },
    ];
  if (config.store.urlEnv !== null)
    return [
      {
        level: "error",
        path: "instance.name",
        message: "must be set for a store that instances share",
        hint,
      },
    ];
  return [];
}

function store(...[config, facts]: Parameters<Rule>): readonly Finding[] {
  const { url, urlEnv } = config.store;
  if (urlEnv === null) return [];
  if (url !== null)
    return [
      {
        level: "error",
        path: "store.url",
        message: "is set beside store.urlEnv",
        hint: "keep one of the two",
      },
    ];
  if (facts.variables.has(urlEnv)) return [];
  return [
    {
      level: "error",
      path: "store.urlEnv",
      message: `the variable ${urlEnv} is not set`,
      hint: "export the postgres:// URL under that name, or put it into env.file",
    },
  ];
}

function token(...[config, facts]: Parameters<Rule>): readonly Finding[] {
  const { tokenEnv } = config.integrations.codeHost;
  if (facts.variables.has(tokenEnv)) return [];
  const path = "integrations.codeHost.tokenEnv";
  const hint = `export a token of the code host as ${tokenEnv}`;
  if (facts.daemons.poller)
    return [
      {
        level: "warning",
        path,
        message: `the variable ${tokenEnv} is not set: the poller sees public repositories only and few requests are allowed`,
        hint,
      },
    ];
  if (facts.daemons.receiver)
    return [
      {
        level: "warning",
        path,
        message: `the variable ${tokenEnv} is not set: nothing can be answered on work items`,
        hint,
      },
    ];
  return [];
}

const beginningOf2024 = 1_704_067_200_000;

/** Logs, leases and retention would all be wrong. Ids do not depend on the clock. */
function clock(...[, facts]: Parameters<Rule>): readonly Finding[] {
  if (facts.now >= beginningOf2024) return [];
  return [
    {
      level: "warning",
      path: "",
      message: "the clock of this machine stands before the year 2024",
      hint: "set the clock; times in logs and retention follow it",
    },
  ];
}
