/**
 * The tool by which a session that was given `--json-schema` has to answer, and the words that ask
 * it to.
 */
export const answerTool = "StructuredOutput";
export const enforcement =
  "[structured-output-enforce] You MUST call the StructuredOutput tool to complete this request. Call this tool now.";

/**
 * What of the value does not fit the schema; null when all does. As much of JSON Schema as callers
 * of the fixture use.
 */
export function misfit(value, schema, at = "") {
  if (schema.enum)
    return schema.enum.includes(value)
      ? null
      : `${at || "/"}: must be equal to one of the allowed values: ${JSON.stringify(schema.enum)}`;
  if (schema.type && !isOf(value, schema.type)) return `${at || "/"}: must be ${schema.type}`;
  if (schema.type === "object") return misfitObject(value, schema, at);
  if (schema.type === "array")
    return (
      value.map((each, i) => misfit(each, schema.items ?? {}, `${at}/${i}`)).find(Boolean) ?? null
    );
  return null;
}

function misfitObject(value, { properties = {}, required = [], additionalProperties }, at) {
  const missing = required.find((name) => !(name in value));
  if (missing) return `${at || "/"}: must have required property '${missing}'`;
  const extra =
    additionalProperties === false
      ? Object.keys(value).find((name) => !(name in properties))
      : undefined;
  if (extra) return `${at || "/"}: must NOT have additional properties`;
  return (
    Object.entries(value)
      .map(([name, each]) =>
        name in properties ? misfit(each, properties[name], `${at}/${name}`) : null,
      )
      .find(Boolean) ?? null
  );
}

function isOf(value, type) {
  if (type === "array") return Array.isArray(value);
  if (type === "object")
    return typeof value === "object" && value !== null && !Array.isArray(value);
  return type === "integer" ? Number.isInteger(value) : typeof value === type;
}
