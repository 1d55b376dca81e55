import { isJsonObject } from "../delivery/admit.ts";
import { largestNumber } from "../work-item/ref.ts";

/**
 * Readers of single fields. They never throw and never cast: what is missing or odd becomes null or
 * empty where the rest of the event makes sense without it, and the reader of a required part says
 * that the shape does not fit.
 */

export function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** Text that people wrote; the host sends null for empty bodies. */
export function prose(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A time of the host's clock as it was sent; null for what cannot be one. */
export function time(value: unknown): string | null {
  return typeof value === "string" && value.length >= 10 && value.length <= 40 ? value : null;
}

/** An id as decimal text. Numbers that lost digits on the way (2^53 and up) are no ids. */
export function idText(value: unknown): string | null {
  return isId(value) ? String(value) : null;
}

/**
 * Whether `idText` would find one. Most ids are only asked for later, if at all, and their text
 * takes making.
 */
export function isId(value: unknown): boolean {
  return typeof value === "number"
    ? Number.isSafeInteger(value) && value >= 0
    : typeof value === "string" && isDigits(value);
}

/** Number of an issue or pull request; null when it is none. */
export function itemNumber(value: unknown): number | null {
  return typeof value === "number" &&
    Number.isInteger(value) &&
    value >= 1 &&
    value <= largestNumber
    ? value
    : null;
}

/** A commit id: 7 to 64 hexadecimal digits, in lower case as the host sends them. */
export function commitId(value: unknown): string | null {
  return typeof value === "string" &&
    value.length >= 7 &&
    value.length <= 64 &&
    !noHexDigit.test(value)
    ? value
    : null;
}

const noHexDigit = /[^0-9a-f]/;

/** Names of labels; entries without a name are skipped. */
export function readLabels(value: unknown): readonly string[] {
  if (!Array.isArray(value) || value.length === 0) return noLabels;
  const entries: readonly unknown[] = value;
  const first = labelName(entries[0]);
  // Most items have one label; an array that grows takes room for sixteen more.
  if (entries.length === 1) return first === null ? noLabels : [first];
  const names: string[] = [];
  for (const entry of entries) {
    const name = labelName(entry);
    if (name !== null) names.push(name);
  }
  return names;
}

function labelName(entry: unknown): string | null {
  return text(isJsonObject(entry) ? entry["name"] : entry);
}

function isDigits(value: string): boolean {
  if (value.length === 0 || value.length > 20) return false;
  for (let i = 0; i < value.length; i += 1) {
    const code = value.charCodeAt(i);
    if (code < 48 || code > 57) return false;
  }
  return true;
}

const noLabels: readonly string[] = [];
