export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

/** The value as an object; an empty one for anything else. */
export function objectAt(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A copy with every string rewritten by these replacements, in order. */
export function rewrite(value: Json, replacements: readonly (readonly [string, string])[]): Json {
  if (typeof value === "string")
    return replacements.reduce((text, [from, to]) => text.replaceAll(from, to), value);
  if (Array.isArray(value)) return value.map((entry: Json) => rewrite(entry, replacements));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, rewrite(entry, replacements)]),
  );
}

export const nodeId = (kind: string, id: number): string =>
  Buffer.from(`${kind}${id}`).toString("base64");
