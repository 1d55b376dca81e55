import { countHidden } from "../text/hidden-characters.ts";

declare const checked: unique symbol;

/**
 * A secret that may be used to verify or to sign: not empty, and the same bytes that a person sees.
 */
export type SecretValue = string & { readonly [checked]: true };

/**
 * What an environment holds under the name of a secret. `unset` is not `refused`: a variable that
 * is set to nothing, or to something that no code host could have been given, is a mistake, and
 * mistakes must not switch verification off.
 */
export type SecretReading =
  | { readonly kind: "unset" }
  | { readonly kind: "set"; readonly value: SecretValue; readonly short: boolean }
  | { readonly kind: "refused"; readonly why: "empty" | "blank-around" | "control-character" };

/** Shorter secrets can be guessed from one recorded delivery and its signature. Characters. */
export const shortestSecret = 16;

const refusals = {
  empty: "is set but empty",
  "blank-around": "begins or ends with a blank or a line break",
  "control-character": "contains a character that cannot be seen, such as a byte-order mark",
} as const;

/** Reads one variable; the only way to a `SecretValue`. */
export function readSecret(text: string | undefined): SecretReading {
  if (text === undefined) return { kind: "unset" };
  if (text === "") return { kind: "refused", why: "empty" };
  if (text.trim() !== text) return { kind: "refused", why: "blank-around" };
  if (!isPrintable(text)) return { kind: "refused", why: "control-character" };
  return { kind: "set", value: text, short: text.length < shortestSecret };
}

/**
 * The fault in the words of a sentence that begins with the variable's name; never shows the value.
 */
export function secretFault(why: Extract<SecretReading, { kind: "refused" }>["why"]): string {
  return refusals[why];
}

/** Nobody sees what is hidden or breaks a line, and no code host would keep it. */
function isPrintable(text: string): text is SecretValue {
  return countHidden(text) === 0 && !/[\t\n\r\u{fffd}]/u.test(text);
}
