/** A JSON object whose values are not looked at yet. */
export type Record = { readonly [key: string]: unknown };

export function isRecord(value: unknown): value is Record {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** What a value is, for a sentence about why it does not fit. */
export function nameOf(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}
