import { moveAliases, nodeAt } from "./alias.ts";
import { configOf } from "./defaults.ts";
import { readDocument } from "./document.ts";
import { type ConfigProblem, type Position, problemAt } from "./problem.ts";
import { readObject, type Settings } from "./read.ts";
import { type Config, configSchema } from "./schema.ts";

/**
 * A configuration, or everything that is wrong with it at once. `set` are the keys that the file
 * sets itself, with their places.
 */
export type ParsedConfig =
  | {
      readonly ok: true;
      readonly config: Config;
      readonly set: ReadonlyMap<string, Position>;
      readonly warnings: readonly ConfigProblem[];
    }
  | {
      readonly ok: false;
      readonly errors: readonly ConfigProblem[];
      readonly warnings: readonly ConfigProblem[];
    };

/**
 * The text of a `cli-config.yaml`, checked against the table. `file` names it in problems that have
 * no place.
 */
export function parseConfig(text: string, source: { readonly file: string }): ParsedConfig {
  const { root, problems } = readDocument(text);
  if (root === null) return { ok: false, errors: problems, warnings: [] };
  const settings: Settings = { set: new Map(), errors: [], warnings: [] };
  if (root.kind === "list" || (root.kind === "scalar" && root.value !== null)) {
    return {
      ok: false,
      errors: [
        problemAt(
          root.at,
          "",
          "LOOP_E_CONFIG_TYPE",
          `${source.file} must hold a map of keys`,
          "write lines such as `polling:`",
        ),
      ],
      warnings: [],
    };
  }
  readObject(root, configSchema, "", settings, nodeAt);
  moveAliases(settings);
  if (settings.errors.length > 0)
    return { ok: false, errors: inOrder(settings.errors), warnings: inOrder(settings.warnings) };
  return {
    ok: true,
    config: configOf(settings.set),
    set: new Map([...settings.set].map(([path, { at }]) => [path, at])),
    warnings: inOrder(settings.warnings),
  };
}

const inOrder = (problems: readonly ConfigProblem[]): readonly ConfigProblem[] =>
  problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
