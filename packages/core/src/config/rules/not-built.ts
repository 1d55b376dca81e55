import type { Finding, Rule } from "../rules.ts";

/** Rules about keys that are specified and that this version does nothing with: who sets one must not wait for something to happen. */
export const notBuiltRules: readonly Rule[] = [withoutEffect];

function withoutEffect(config: Parameters<Rule>[0]): readonly Finding[] {
  const { routing, critics } = config;
  const asked: readonly (readonly [path: string, set: boolean, instead: string])[] = [
    ["routing.graph.specDir", routing.graph.specDir !== "", "there is no graph"],
    ["routing.graph.hooks", routing.graph.hooks.length > 0, "there is no graph"],
    ["critics", critics.length > 0, "nobody reviews"],
  ];
  return asked.filter(([, set]) => set).map(([path, , hint]): Finding => ({ level: "warning", path, message: "has no effect in this version", hint }));
}
