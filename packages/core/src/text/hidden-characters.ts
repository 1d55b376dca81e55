/**
 * Characters that do not show, or that change how others show: controls, blanks that look like
 * others, zero-width and bidirectional marks, variation selectors and tags. Pairs of first and last
 * code point, ascending.
 */
const hiddenRanges: readonly (readonly [number, number])[] = [
  [0x00, 0x08],
  [0x0b, 0x0c],
  [0x0e, 0x1f],
  [0x7f, 0xa0],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x1680, 0x1680],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x2000, 0x200f],
  [0x2028, 0x202f],
  [0x205f, 0x206f],
  [0x2800, 0x2800],
  [0x3000, 0x3000],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

/** Whether a code point is hidden; tab, line feed and carriage return are not. */
export function isHidden(codePoint: number): boolean {
  if (codePoint > 0x1f && codePoint < 0x7f) return false;
  return hiddenRanges.some(([first, last]) => codePoint >= first && codePoint <= last);
}

/** How many hidden characters a text has. */
export function countHidden(text: string): number {
  let count = 0;
  for (const char of text) if (isHidden(char.codePointAt(0) ?? 0)) count += 1;
  return count;
}

/**
 * The text with each hidden character as `\uXXXX`, which inside of JSON strings stands for the same
 * character.
 */
export function escapeHidden(text: string): string {
  let escaped = "";
  let from = 0;
  let at = 0;
  for (const char of text) {
    if (isHidden(char.codePointAt(0) ?? 0)) {
      escaped += text.slice(from, at) + unicodeEscape(char);
      from = at + char.length;
    }
    at += char.length;
  }
  return escaped + text.slice(from);
}

/** Outside text on one line for a header or a log: escaped, at most `max` characters. */
export function escapeInline(text: string, max = 200): string {
  const short = text.length > max ? `${text.slice(0, max)}…` : text;
  return escapeHidden(
    short.replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t"),
  );
}

function unicodeEscape(char: string): string {
  let escaped = "";
  for (let i = 0; i < char.length; i++)
    escaped += `\\u${char.charCodeAt(i).toString(16).padStart(4, "0")}`;
  return escaped;
}
