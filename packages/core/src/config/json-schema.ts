import { configSchema } from "./schema.ts";
import type { Node } from "./schema/node.ts";

/** A JSON Schema value. */
export type JsonSchema = { readonly [key: string]: JsonSchemaValue };
type JsonSchemaValue = string | number | boolean | null | JsonSchema | readonly JsonSchemaValue[];

/** The table as JSON Schema (2020-12), for editors; `loop config schema` prints it. */
export function configJsonSchema(): JsonSchema {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "cli-config.yaml",
    ...schemaOf(configSchema),
  };
}

function schemaOf(node: Node): JsonSchema {
  const description = { description: node.doc };
  switch (node.type) {
    case "boolean":
      return { type: "boolean", default: node.default, ...description };
    case "integer":
    case "number":
      return {
        type: orNull(node.type, node.default),
        minimum: node.min,
        maximum: node.max,
        ...givenDefault(node.default),
        ...description,
      };
    case "string":
      return {
        type: orNull("string", node.default),
        ...(node.required === true ? {} : givenDefault(node.default)),
        ...description,
      };
    case "enum":
      // An unknown value warns and means the default, so that editors may only suggest the known
      // ones.
      return node.unknown === "warn"
        ? { type: "string", examples: node.values, ...givenDefault(node.default), ...description }
        : {
            enum: node.default === null ? [...node.values, null] : node.values,
            ...givenDefault(node.default),
            ...description,
          };
    case "list":
      return {
        type: ["array", "null"],
        items: { type: "string" },
        default: node.default,
        ...description,
      };
    case "set":
      return {
        type: ["array", "null"],
        items: { enum: node.values },
        default: node.default,
        ...description,
      };
    case "map":
      return {
        type: ["object", "null"],
        additionalProperties: { type: ["string", "number", "boolean"] },
        default: node.default,
        ...description,
      };
    case "records":
      return {
        type: ["array", "null"],
        items: objectSchema(node.keys),
        default: [],
        ...description,
      };
    case "object":
      return { ...objectSchema(node.keys), type: ["object", "null"], ...description };
    case "alias":
      return {
        $ref: `#/properties/${node.of.replace("{default}", "A").split(".").join("/properties/")}`,
        ...description,
      };
  }
}

function objectSchema(keys: Readonly<Record<string, Node>>): JsonSchema {
  const required = Object.entries(keys).flatMap(([key, node]) =>
    node.type === "string" && node.required === true ? [key] : [],
  );
  return {
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(
      Object.entries(keys).map(([key, node]) => [key, schemaOf(node)]),
    ),
    ...(required.length > 0 ? { required } : {}),
  };
}

const orNull = (type: string, fallback: string | number | null): JsonSchemaValue =>
  fallback === null ? [type, "null"] : type;
const givenDefault = (fallback: string | number | null): JsonSchema =>
  fallback === null ? {} : { default: fallback };
