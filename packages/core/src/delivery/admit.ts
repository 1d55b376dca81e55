/** A parsed JSON object. Its values are unknown until somebody checks them. */
export type JsonObject = { readonly [key: string]: unknown };

export type ParsedPayload =
  | { readonly ok: true; readonly payload: JsonObject }
  | { readonly ok: false; readonly why: "too-deep" | "too-large" | "not-json" | "not-an-object" };

/** Objects and arrays may nest so deep; the host's own payloads stay below 12. */
export const deepestNesting = 64;

/**
 * A payload may have so many members of objects and elements of arrays, strings apart; the host's
 * own have less than a thousand.
 */
export const mostMembers = 20_000;

/**
 * Turns the body of a delivery into an object, or says why that is not possible; never throws.
 * Nesting and members are counted before anything is parsed, because the parser itself takes
 * seconds and hundreds of megabytes for a few megabytes of brackets or of small members; long
 * strings cost it nothing. A leading byte order mark is skipped.
 */
export function parsePayload(text: string): ParsedPayload {
  const start = text.charCodeAt(0) === 0xfe_ff ? 1 : 0;
  const why = overBounds(text, start);
  if (why !== null) return { ok: false, why };
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

/** One look at each character; what stands inside of strings does not count and is jumped over. */
function overBounds(text: string, start: number): "too-deep" | "too-large" | null {
  let depth = 0;
  let members = 0;
  for (let i = start; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === 34 /* " */) i = endOfString(text, i);
    else if (code === 91 || code === 123) {
      depth += 1;
      if (depth > deepestNesting) return "too-deep";
    } else if (code === 93 || code === 125) depth -= 1;
    else if (code === 44 /* , */) {
      members += 1;
      if (members > mostMembers) return "too-large";
    }
  }
  return null;
}

/**
 * Where the quote stands that ends the string; the text's length when none does. Each backslash is
 * looked at once, from the quote behind it.
 */
function endOfString(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === 92 /* \ */) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}
