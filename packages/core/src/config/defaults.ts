import { type Config, configSchema } from "./schema.ts";
import type { Node, ValueOf } from "./schema/node.ts";

/** What configuration is made of. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json };

/** The value of a key that the file does not set. */
export function defaultOf(node: Node): Json {
  switch (node.type) {
    case "object":
      return fill(node, "", new Map());
    case "records":
      return [];
    case "alias":
      return null;
    default:
      return node.default;
  }
}

/**
 * An object of the table: what is set at its paths, defaults elsewhere. Aliases have no value of
 * their own.
 */
export function fill(
  node: Extract<Node, { readonly type: "object" }>,
  path: string,
  set: ReadonlyMap<string, { readonly value: Json }>,
): Json {
  return Object.fromEntries(
    Object.entries(node.keys)
      .filter(([, child]) => child.type !== "alias")
      .map(([key, child]) => {
        const at = path === "" ? key : `${path}.${key}`;
        return [
          key,
          child.type === "object" ? fill(child, at, set) : (set.get(at)?.value ?? defaultOf(child)),
        ];
      }),
  );
}

/**
 * Whether a value has the shape that a node of the table describes; this is what makes filled data
 * a `Config`.
 */
export function conforms<N extends Node>(node: N, value: Json): value is Json & ValueOf<N> {
  return hasShape(node, value);
}

function hasShape(node: Node, value: Json | undefined): boolean {
  if (value === undefined) return node.type === "alias";
  switch (node.type) {
    case "boolean":
      return typeof value === "boolean";
    case "integer":
    case "number":
      return typeof value === "number" || (value === null && node.default === null);
    case "string":
      return typeof value === "string" || (value === null && node.default === null);
    case "enum":
      return (
        (typeof value === "string" && node.values.includes(value)) ||
        (value === null && node.default === null)
      );
    case "list":
      return isList(value) && value.every((item) => typeof item === "string");
    case "set":
      return (
        isList(value) &&
        value.every((item) => typeof item === "string" && node.values.includes(item))
      );
    case "map":
      return isRecord(value) && Object.values(value).every((item) => typeof item === "string");
    case "records":
      return (
        isList(value) &&
        value.every((item) => hasShape({ type: "object", doc: "", keys: node.keys }, item))
      );
    case "object":
      return (
        isRecord(value) &&
        Object.entries(node.keys).every(([key, child]) => hasShape(child, value[key]))
      );
    case "alias":
      return false;
  }
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
const isRecord = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Makes the configuration of what is set. */
export function configOf(set: ReadonlyMap<string, { readonly value: Json }>): Config {
  const filled = fill(configSchema, "", set);
  if (!conforms(configSchema, filled))
    throw new Error("the schema table and its defaults disagree; please report this");
  return filled;
}

/** The configuration of somebody who has written none. */
export const defaultConfig: Config = configOf(new Map());
