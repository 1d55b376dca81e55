import type { JsonSchema } from "../operations/operation.ts";
import { anyonesWords } from "../shapes/words.ts";

/**
 * What agents may be answered: everything but the parts that are marked as written by anybody
 * (strangers' words reach no MCP answer). The schema that the tool shows and the answer lose the
 * same parts.
 */
export function schemaForAgents(schema: JsonSchema): JsonSchema {
  const { properties, required, items, anyOf, ...rest } = schema;
  const kept = Object.entries(schemasIn(properties)).filter(([, each]) => !isMarked(each));
  const names = kept.map(([name]) => name);
  return {
    ...rest,
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(kept.map(([name, each]) => [name, schemaForAgents(each)])),
        }),
    ...(Array.isArray(required)
      ? { required: required.filter((name) => names.includes(String(name))) }
      : {}),
    ...(isSchema(items) ? { items: schemaForAgents(items) } : {}),
    ...(Array.isArray(anyOf)
      ? { anyOf: anyOf.map((each) => (isSchema(each) ? schemaForAgents(each) : each)) }
      : {}),
  };
}

/** An answer that fits `schema` without its marked parts. */
export function answerForAgents(value: unknown, schema: JsonSchema): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return isSchema(items) ? value.map((each) => answerForAgents(each, items)) : value;
  }
  if (typeof value !== "object" || value === null) return value;
  const parts = schemasIn(objectSchema(schema)["properties"]);
  const fields = Object.entries(value).filter(
    ([name]) => parts[name] === undefined || !isMarked(parts[name]),
  );
  return Object.fromEntries(
    fields.map(([name, each]) => [
      name,
      parts[name] === undefined ? each : answerForAgents(each, parts[name]),
    ]),
  );
}

/** Of something that may be null: what it is else. */
function objectSchema(schema: JsonSchema): JsonSchema {
  const { anyOf } = schema;
  return Array.isArray(anyOf)
    ? (anyOf.find((each): each is JsonSchema => isSchema(each) && each["type"] !== "null") ??
        schema)
    : schema;
}

function isMarked(schema: JsonSchema): boolean {
  const { anyOf } = schema;
  return (
    schema[anyonesWords] === true ||
    (Array.isArray(anyOf) && anyOf.some((each) => isSchema(each) && isMarked(each)))
  );
}

function schemasIn(properties: unknown): Readonly<Record<string, JsonSchema>> {
  if (!isSchema(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, each]) =>
      isSchema(each) ? [[name, each] as const] : [],
    ),
  );
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
