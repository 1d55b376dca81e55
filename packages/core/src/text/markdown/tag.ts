import { findAhead, type InlineState } from "./spans.ts";
import type { Scannable } from "./scannable.ts";
import { isBlank, isDigit } from "./line.ts";

/**
 * A tag of HTML: its name in lower case, where it ends, and whether an attribute may hide what it
 * holds.
 */
export type Tag = { readonly name: string; readonly end: number; readonly concealed: boolean };

/** The name that begins at `start`, in lower case; empty where none does. */
export function tagName(text: Scannable, start: number): string {
  if (!isLetter(text.charCodeAt(start))) return "";
  let end = start + 1;
  while (
    isLetter(text.charCodeAt(end)) ||
    isDigit(text.charCodeAt(end)) ||
    text.charCodeAt(end) === 45
  )
    end += 1;
  let name = "";
  // No name that matters is longer.
  for (let at = start; at < end && at < start + longestName; at += 1)
    name += String.fromCharCode(text.charCodeAt(at) | (isLetter(text.charCodeAt(at)) ? 32 : 0));
  return end - start > longestName ? `${name}-${end - start}` : name;
}

const longestName = 12;

/** Behind the name at `start`. */
export function nameEnd(text: Scannable, start: number): number {
  let end = start;
  while (
    isLetter(text.charCodeAt(end)) ||
    isDigit(text.charCodeAt(end)) ||
    text.charCodeAt(end) === 45
  )
    end += 1;
  return end;
}

/**
 * The opening tag whose name begins at `start`, by CommonMark's grammar; null where it is none, or
 * does not end before `limit`.
 */
export function openingTag(
  state: InlineState,
  text: Scannable,
  start: number,
  limit: number,
): Tag | null {
  if (!isLetter(text.charCodeAt(start))) return null;
  const tagEnd = findAhead(state, "tagEnd", ">", text, start);
  if (tagEnd === -1 || tagEnd >= limit) return null;
  let at = nameEnd(text, start);
  let concealed = false;
  const tried: number[] = [];
  for (;;) {
    const gap = passGaps(text, at, limit);
    const code = gap < limit ? text.charCodeAt(gap) : 0;
    if (code === 62) return { name: tagName(text, start), end: gap + 1, concealed };
    if (code === 47) {
      if (gap + 1 < limit && text.charCodeAt(gap + 1) === 62)
        return { name: tagName(text, start), end: gap + 2, concealed };
      break;
    }
    if (gap === at || !isAttributeStart(code) || state.noTagAt.has(gap)) break;
    tried.push(gap);
    const behind = attributeEnd(state, text, gap, limit);
    if (behind === -1) break;
    concealed ||= isConcealing(text, gap);
    at = behind;
  }
  for (const each of tried) state.noTagAt.add(each);
  return null;
}

/** Behind the closing tag whose name begins at `start`; -1 where it is none. */
export function closingTagEnd(text: Scannable, start: number, limit: number): number {
  if (!isLetter(text.charCodeAt(start))) return -1;
  const at = passGaps(text, nameEnd(text, start), limit);
  return at < limit && text.charCodeAt(at) === 62 ? at + 1 : -1;
}

/** Behind the attribute at `at`, with its value; -1 where the value is none. */
function attributeEnd(state: InlineState, text: Scannable, at: number, limit: number): number {
  let end = at + 1;
  while (end < limit && isAttributePart(text.charCodeAt(end))) end += 1;
  const equals = passGaps(text, end, limit);
  if (equals >= limit || text.charCodeAt(equals) !== 61) return end;
  const value = passGaps(text, equals + 1, limit);
  const code = value < limit ? text.charCodeAt(value) : 0;
  if (code === 34 || code === 39) {
    const close = nextQuote(state, text, code, value + 1);
    return close === -1 || close >= limit ? -1 : close + 1;
  }
  let behind = value;
  while (behind < limit && isUnquoted(text.charCodeAt(behind))) behind += 1;
  return behind === value ? -1 : behind;
}

/** The next quotation mark; that there is none is remembered. */
function nextQuote(state: InlineState, text: Scannable, code: 34 | 39, from: number): number {
  if (from >= state.noQuoteFrom[code]) return -1;
  const found = text.indexOf(code === 34 ? '"' : "'", from);
  if (found === -1) state.noQuoteFrom[code] = from;
  return found;
}

/**
 * A tag in raw HTML as a browser reads it, which takes nearly anything; null where its end is not
 * in the block.
 */
export function rawTag(text: Scannable, start: number, limit: number): Tag | null {
  let at = start;
  while (
    at < limit &&
    !isGap(text.charCodeAt(at)) &&
    text.charCodeAt(at) !== 47 &&
    text.charCodeAt(at) !== 62
  )
    at += 1;
  const name = at === nameEnd(text, start) ? tagName(text, start) : "";
  let concealed = false;
  while (at < limit) {
    const code = text.charCodeAt(at);
    if (code === 62) return { name, end: at + 1, concealed };
    if (isGap(code) || code === 47) at += 1;
    else {
      concealed ||= isConcealing(text, at);
      at = rawAttributeEnd(text, at, limit);
    }
  }
  return null;
}

function rawAttributeEnd(text: Scannable, start: number, limit: number): number {
  let at = start + 1;
  for (; at < limit; at += 1) {
    const code = text.charCodeAt(at);
    if (isGap(code) || code === 47 || code === 62 || code === 61) break;
  }
  const equals = passGaps(text, at, limit);
  if (equals >= limit || text.charCodeAt(equals) !== 61) return at;
  at = passGaps(text, equals + 1, limit);
  const quote = at < limit ? text.charCodeAt(at) : 0;
  if (quote === 34 || quote === 39) {
    at += 1;
    while (at < limit && text.charCodeAt(at) !== quote) at += 1;
    return at + 1;
  }
  while (at < limit && !isGap(text.charCodeAt(at)) && text.charCodeAt(at) !== 62) at += 1;
  return at;
}

/** `hidden`, `aria-hidden` and `style`: what they are said of may not be on the page. */
function isConcealing(text: Scannable, at: number): boolean {
  return concealing.some(
    (word) => isNamed(text, at, word) && !isAttributePart(text.charCodeAt(at + word.length)),
  );
}

const concealing = ["hidden", "aria-hidden", "style"] as const;

export function isNamed(text: Scannable, start: number, name: string): boolean {
  for (let i = 0; i < name.length; i += 1) {
    const code = text.charCodeAt(start + i);
    if ((isLetter(code) ? code | 32 : code) !== name.charCodeAt(i)) return false;
  }
  return true;
}

export function passGaps(text: Scannable, start: number, limit: number): number {
  let at = start;
  while (at < limit && isGap(text.charCodeAt(at))) at += 1;
  return at;
}

/** Blanks and ends of lines. */
export function isGap(code: number): boolean {
  return code === 10 || code === 13 || isBlank(code);
}

function isAttributeStart(code: number): boolean {
  return isLetter(code) || code === 95 || code === 58;
}

function isAttributePart(code: number): boolean {
  return isAttributeStart(code) || isDigit(code) || code === 46 || code === 45;
}

function isUnquoted(code: number): boolean {
  return (
    !isGap(code) &&
    code !== 34 &&
    code !== 39 &&
    code !== 60 &&
    code !== 61 &&
    code !== 62 &&
    code !== 96
  );
}

export function isLetter(code: number): boolean {
  const lower = code | 32;
  return lower >= 97 && lower <= 122;
}
