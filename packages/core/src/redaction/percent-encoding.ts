import type { Chars } from "./redact.ts";

/** A text without its percent-encoding; `starts` holds where each character began, and the end. */
export type Decoded = { readonly text: string; readonly starts: readonly number[] };

/** The text with each `%XX` as the byte that it stands for, in UTF-8; null where it has none. */
export function percentDecoded(text: Chars): Decoded | null {
  if (!hasEscape(text)) return null;
  const parts: string[] = [];
  const starts: number[] = [];
  for (let at = 0; at < text.length;) {
    const { char, length } = characterAt(text, at);
    for (let i = 0; i < char.length; i += 1) starts.push(at);
    parts.push(char);
    at += length;
  }
  starts.push(text.length);
  return { text: parts.join(""), starts };
}

function hasEscape(text: Chars): boolean {
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) === percent && byteAt(text, at) !== -1) return true;
  }
  return false;
}

const percent = 37;

/**
 * A character as it stands, or the one that escapes make; bytes that make none stand each alone.
 */
function characterAt(text: Chars, at: number): { readonly char: string; readonly length: number } {
  const first = byteAt(text, at);
  if (first === -1) return { char: String.fromCharCode(text.charCodeAt(at)), length: 1 };
  const more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
  let code = more === 0 ? first : first & (0x3f >> more);
  for (let i = 1; i <= more; i += 1) {
    const next = byteAt(text, at + 3 * i);
    if (next === -1 || (next & 0xc0) !== 0x80) return { char: "\uFFFD", length: 3 };
    code = (code << 6) | (next & 0x3f);
  }
  const char = code > 0x10ffff ? "\uFFFD" : String.fromCodePoint(code);
  return { char, length: 3 * (more + 1) };
}

/** The byte that `%XX` at a place stands for; -1 where none stands. */
function byteAt(text: Chars, at: number): number {
  if (text.charCodeAt(at) !== percent) return -1;
  const [high, low] = [digit(text.charCodeAt(at + 1)), digit(text.charCodeAt(at + 2))];
  return high === -1 || low === -1 ? -1 : 16 * high + low;
}

function digit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}
