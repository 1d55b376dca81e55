/**
 * Reading outside data field by field: each reader answers with the value of the right type, or
 * with nothing.
 */
export type Fields = Readonly<Record<string, unknown>>;

/** The value as an object with string keys; null for everything else, arrays included. */
export function objectOf(value: unknown): Fields | null {
  return isObject(value) ? value : null;
}

/** The value when it is a string, else null. */
export function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** The value when it is a finite number, else null. */
export function numberOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** The strings of an array, in order; empty for everything else. */
export function textsOf(value: unknown): readonly string[] {
  return listOf(value).filter((entry) => typeof entry === "string");
}

/** The entries of an array; empty for everything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * Parses one JSON text to an object; null when it is none. A leading byte order mark is skipped.
 */
export function parseObject(text: string): Fields | null {
  try {
    return objectOf(JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text));
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
