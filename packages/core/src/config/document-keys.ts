import type { Position } from "./problem.ts";
import { type Config, schemaKeys } from "./schema.ts";
import type { Node } from "./schema/node.ts";

/**
 * One line of the reference for each key that holds a value: path, type, default, meaning. `docs`
 * and `config schema` print it.
 */
export function documentedKeys(): readonly {
  readonly path: string;
  readonly type: string;
  readonly default: string;
  readonly doc: string;
}[] {
  return schemaKeys()
    .filter(({ node }) => node.type !== "object")
    .map(({ path, node }) => ({
      path: path.join("."),
      type: typeOf(node),
      default: defaultText(node),
      doc: node.doc,
    }));
}

/**
 * Every key that holds a value, with the value in force and where the file sets it; null: it is the
 * default.
 */
export function effectiveKeys(
  config: Config,
  set: ReadonlyMap<string, Position>,
): readonly { readonly path: string; readonly value: unknown; readonly place: Position | null }[] {
  return schemaKeys()
    .filter(({ node }) => node.type !== "object" && node.type !== "alias")
    .map(({ path }) => ({
      path: path.join("."),
      value: path.reduce<unknown>(inner, config),
      place: set.get(path.join(".")) ?? null,
    }));
}

function inner(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}

function typeOf(node: Node): string {
  switch (node.type) {
    case "integer":
    case "number":
      return `${node.type} ${node.min} to ${node.max}`;
    case "enum":
      return node.values.join(" | ");
    case "list":
      return "list of text";
    case "set":
      return `list of ${node.values.join(" | ")}`;
    case "map":
      return "map of text";
    case "records":
      return `list of {${Object.keys(node.keys).join(", ")}}`;
    case "alias":
      return `as ${node.of.replace("{default}", "<default harness>")}`;
    case "boolean":
    case "string":
    case "object":
      return node.type;
  }
}

function defaultText(node: Node): string {
  if (node.type === "object" || node.type === "alias") return "";
  if (node.type === "records") return "[]";
  return node.default === null ? "none" : JSON.stringify(node.default);
}
