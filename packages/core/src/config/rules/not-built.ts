import type { Finding, Rule } from "../rules.ts";

/** Rules about keys that are specified and that this version does nothing with: who sets one must not wait for something to happen. */
export const notBuiltRules: readonly Rule[] = [sharedStore, withoutEffect];

/** A store of one's own where a shared one was asked for would let two instances work on the same item. */
function sharedStore(config: Parameters<Rule>[0]): readonly Finding[] {
  if (config.store.urlEnv === null) return [];
  return [{ level: "error", path: "store.urlEnv", message: "this version has no PostgreSQL store", hint: "remove the key; the store is SQLite in the state root" }];
}

function withoutEffect(config: Parameters<Rule>[0]): readonly Finding[] {
  const { routing, critics } = config;
  const asked: readonly (readonly [path: string, set: boolean, instead: string])[] = [
    ["routing.graph.specDir", routing.graph.specDir !== "", "there is no graph"],
    ["routing.graph.hooks", routing.graph.hooks.length > 0, "there is no graph"],
    ["critics", critics.length > 0, "nobody reviews"],
  ];
  return asked.filter(([, set]) => set).map(([path, , hint]): Finding => ({ level: "warning", path, message: "has no effect in this version", hint }));
}
