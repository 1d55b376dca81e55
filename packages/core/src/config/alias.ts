import { type ConfigProblem, problemAt } from "./problem.ts";
import type { Setting, Settings } from "./read.ts";
import { schemaKeys } from "./schema.ts";
import type { AliasNode, Node } from "./schema/node.ts";

const nodesByPath: ReadonlyMap<string, Node> = new Map(
  schemaKeys().map(({ path, node }) => [path.join("."), node]),
);
/** Keys that are another place for others. */
export const aliases: readonly { readonly path: string; readonly node: AliasNode }[] =
  schemaKeys().flatMap(({ path, node }) =>
    node.type === "alias" ? [{ path: path.join("."), node }] : [],
  );

/**
 * The node of the table at a path; aliases name their target with `{default}` for the default
 * harness.
 */
export function nodeAt(path: string): Node | null {
  return nodesByPath.get(path.replace("{default}", "A")) ?? null;
}

/** Moves what aliases set to its own place. The same key set differently in both is an error. */
export function moveAliases(settings: Settings): void {
  for (const { path, node } of aliases) {
    const of = node.of.replace("{default}", harnessOf(settings));
    for (const [key, setting] of [...settings.set]) {
      if (key !== path && !key.startsWith(`${path}.`)) continue;
      const target = of + key.slice(path.length);
      settings.set.delete(key);
      const other = settings.set.get(target);
      if (other === undefined) settings.set.set(target, setting);
      else if (!sameValue(other.value, setting.value))
        settings.errors.push(conflict(key, target, setting, other));
    }
  }
}

function conflict(key: string, target: string, setting: Setting, other: Setting): ConfigProblem {
  return problemAt(
    setting.at,
    key,
    "LOOP_E_CONFIG_CONFLICT",
    `is set differently at ${target} in line ${other.at.line}`,
    `keep ${target} and remove ${key}`,
  );
}

const harnessOf = (settings: Settings): string =>
  settings.set.get("routing.defaultHarness")?.value === "B" ? "B" : "A";

/** Equality of configuration values, independent of the order of keys. */
export function sameValue(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, v: unknown) =>
    typeof v === "object" && v !== null && !Array.isArray(v)
      ? Object.fromEntries(Object.entries(v).toSorted(([x], [y]) => (x < y ? -1 : 1)))
      : v,
  );
}
