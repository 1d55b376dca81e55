/** A parsed JSON object. Its values are unknown until somebody checks them. */
export type JsonObject = { readonly [key: string]: unknown };

export type ParsedPayload = { readonly ok: true; readonly payload: JsonObject } | { readonly ok: false; readonly why: "too-deep" | "not-json" | "not-an-object" };

/** Objects and arrays may nest so deep; the host's own payloads stay below 12 (R09). */
export const deepestNesting = 64;

/**
 * Turns the body of a delivery into an object, or says why that is not possible; never throws (decisions.md 3, R09, R10).
 * Nesting is measured before anything is parsed, because the parser itself takes seconds and hundreds of megabytes
 * for a few megabytes of brackets. A leading byte order mark is skipped.
 */
export function parsePayload(text: string): ParsedPayload {
  const start = text.charCodeAt(0) === 0xfe_ff ? 1 : 0;
  if (nestsTooDeep(text, start)) return { ok: false, why: "too-deep" };
  let value: unknown;
  try {
    value = JSON.parse(start === 0 ? text : text.slice(start));
  } catch {
    return { ok: false, why: "not-json" };
  }
  return isJsonObject(value) ? { ok: true, payload: value } : { ok: false, why: "not-an-object" };
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** One look at each character; brackets inside of strings do not count. */
function nestsTooDeep(text: string, start: number): boolean {
  let depth = 0;
  let inString = false;
  for (let i = start; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === 34 /* " */) inString = !inString;
    else if (inString) {
      if (code === 92 /* \ */) i += 1;
    } else if (code === 91 || code === 123) {
      depth += 1;
      if (depth > deepestNesting) return true;
    } else if (code === 93 || code === 125) depth -= 1;
  }
  return false;
}
