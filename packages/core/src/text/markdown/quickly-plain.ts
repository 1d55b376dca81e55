import { runLength } from "./line.ts";

/**
 * Answers for most positions what `hiddenSpans` answers for all, without reading the lines before:
 * whether a word at `at` is the author's own plain text. Null when that takes the whole scan. It is
 * sure of itself only where a position stands in an unindented paragraph or list item without any
 * code, link or tag before it, and where everything above consists of unindented fences, comments
 * at the beginning of a line, and text without HTML. A property test holds it to the scanner's
 * answers.
 */
export function quicklyPlain(text: string, at: number): boolean | null {
  const block = blockStart(text, at);
  if (block === -1 || at - block > mostBefore || hasMarkup(text, block, at)) return null;
  return standsFree(text, block);
}

/** So many characters of the paragraph before the position are looked at, and so many lines. */
const mostBefore = 400;
const mostLines = 6;

/**
 * Where the paragraph or list item around `at` begins, as far as its lines are unindented and
 * plain; -1 else.
 */
function blockStart(text: string, at: number): number {
  let start = lineStart(text, at);
  for (let line = 0; line < mostLines; line += 1) {
    const code = text.charCodeAt(start);
    if (!isLetter(code))
      return (code === 45 || code === 42) &&
        text.charCodeAt(start + 1) === 32 &&
        isLetter(text.charCodeAt(start + 2))
        ? start
        : -1;
    if (start === 0) return 0;
    const end = text.charCodeAt(start - 2) === 13 ? start - 2 : start - 1;
    if (end === 0 || text.charCodeAt(end - 1) === 10) return start;
    start = lineStart(text, end);
  }
  return -1;
}

/**
 * Beginning of the line that `at` is on; lines are short where this is used, and a loop beats a
 * call.
 */
function lineStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start <= mostBefore && text.charCodeAt(start - 1) !== 10) start -= 1;
  return start;
}

/** Anything by which an inline construct, or an escape, could begin. */
function hasMarkup(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i += 1) {
    const code = text.charCodeAt(i);
    if (code === 96 || code === 60 || code === 91 || code === 92 || code === 126 || code === 36)
      return true;
  }
  return false;
}

/**
 * Whether no fence or comment that began above reaches to `end`; null when that cannot be told
 * cheaply.
 */
function standsFree(text: string, end: number): boolean | null {
  const tilde = text.indexOf("~~~");
  if (tilde !== -1 && tilde < end) return null;
  let at = 0;
  let fence = text.indexOf("```");
  let tag = text.indexOf("<");
  for (;;) {
    if (fence !== -1 && fence < at) fence = text.indexOf("```", at);
    if (tag !== -1 && tag < at) tag = text.indexOf("<", at);
    const nextFence = fence === -1 ? end : fence;
    const nextTag = tag === -1 ? end : tag;
    if (nextFence >= end && nextTag >= end) return true;
    const behind =
      nextFence < nextTag ? behindFence(text, nextFence, end) : behindTag(text, nextTag);
    if (behind === unknown) return null;
    if (behind === never) return false;
    // A comment that ends in the middle of the paragraph hides only its beginning.
    if (behind > end) return null;
    at = behind;
  }
}

const unknown = -1;
const never = -2;

/** Behind the fence that opens at `at`: its closing line, too, must not be indented. */
function behindFence(text: string, at: number, end: number): number {
  if (!beginsLine(text, at)) return unknown;
  const length = runLength(text, at, text.length, 96);
  let line = at + length;
  for (; text.charCodeAt(line) !== 10; line += 1)
    if (line >= end || text.charCodeAt(line) === 96) return unknown;
  for (;;) {
    const close = text.indexOf("```", line);
    if (close === -1 || close >= end) return never;
    if (!beginsLine(text, close)) return unknown;
    const run = runLength(text, close, text.length, 96);
    const after = text.charCodeAt(close + run);
    if (after !== 10 && after !== 13) return unknown;
    if (run >= length) return close + run;
    line = close + run;
  }
}

/** Behind a comment that begins a line, or behind a `<` that is none of a tag. */
function behindTag(text: string, at: number): number {
  if (text.startsWith("<!--", at)) {
    if (!beginsLine(text, at)) return unknown;
    const close = text.indexOf("-->", at + 2);
    return close === -1 ? never : close + 3;
  }
  const next = text.charCodeAt(at + 1);
  return isLetter(next) || next === 47 || next === 33 || next === 63 ? unknown : at + 1;
}

function beginsLine(text: string, at: number): boolean {
  return at === 0 || text.charCodeAt(at - 1) === 10;
}

function isLetter(code: number): boolean {
  const lower = code | 32;
  return lower >= 97 && lower <= 122;
}
