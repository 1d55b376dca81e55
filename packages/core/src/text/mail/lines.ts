import type { MailLine } from "./headers.ts";

/** Bounds of a line, and its first character that is no blank: its end where it has none. */
export type Line = { readonly start: number; readonly end: number; readonly first: number };
/**
 * `above`: the lines of the paragraph so far; `ownFrom`: where the first line stands that the author
 * may have written, the end of the text where none does; `hintAt`: the next place that hints at who
 * wrote something, as far as it was searched; `looks`: how often that was looked into.
 */
export type LinesBefore = {
  readonly above: Line[];
  ownFrom: number;
  hintAt: number;
  looks: number;
};

/**
 * The same, every position where it was, with one kind of blank and of sign that prints nothing;
 * the marks by which HTML and Markdown end a line are blanks as well.
 */
export function withPlainBlanks(text: string): string {
  if (!/[^\t\n\r -~]|<br|\\$/imu.test(text)) return text;
  return text
    .replaceAll(/<br[ \t]{0,4}\/?>/giu, (tag) => " ".repeat(tag.length))
    .replaceAll(/\\$/gmu, " ")
    .replaceAll(/[\p{Zs}\u2028\u2029\u2800]/gu, " ")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, (sign) => unseen.repeat(sign.length));
}

const unseen = "\u200e";

/** Of a longer line only so much is looked at. */
export const longestLine = 400;

export function lineEnd(text: string, start: number): number {
  const newline = text.indexOf("\n", start);
  return newline === -1 ? text.length : newline;
}

export function firstSign(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && printsNothing(text.charCodeAt(at))) at += 1;
  return at;
}

function printsNothing(code: number): boolean {
  return code <= 32 || code === 0x200e;
}

/** What lines are drawn with. */
export const drawn = "-_*=~+#‐‑‒–—―─━－＿＝";

export function isRuleSign(code: number): boolean {
  return drawn.includes(String.fromCharCode(code));
}

export function wordsOf(text: string, { first, end }: Line): string {
  return text
    .slice(first, Math.min(end, first + longestLine))
    .replaceAll(unseen, "")
    .trim();
}

/** The next lines, as many as a head has. */
export function* linesFrom(text: string, from: number): Generator<MailLine> {
  let start = from;
  for (let n = 0; n < mostHeaders && start < text.length; n += 1) {
    const end = lineEnd(text, start);
    yield { start, words: wordsOf(text, { start, end, first: firstSign(text, start, end) }) };
    start = end + 1;
  }
}

const mostHeaders = 14;

export function endsInColon(text: string, { first, end }: Line): boolean {
  for (let at = end - 1; at >= first; at -= 1) {
    const code = text.charCodeAt(at);
    if (code === 58 || code === 0xff1a) return true;
    // Blanks and emphasis may follow.
    if (!printsNothing(code) && code !== 42 && code !== 95) return false;
  }
  return false;
}

/** Whether the next line with a word on it is marked as quoted. */
export function quotesBelow(text: string, end: number): boolean {
  const at = firstSign(text, end, text.length);
  return text.charCodeAt(at) === 62 || text.startsWith("<blockquote", at);
}
