import { isWordCode } from "./words.ts";

/**
 * Whether what stands before `at` belongs to the same word on the page although a mark stands
 * between: `re**loop start**` shows "reloop start", and so do a tag, an entity for a hidden
 * character, and an address that runs on into a keyword. Reads a few characters of the raw text; so
 * many marks in a row that it cannot tell count as one word.
 */
export function isJoinedBefore(text: string, at: number): boolean {
  let next = at - 1;
  for (let step = 0; step < mostMarks; step += 1) {
    const code = text.charCodeAt(next);
    if (isMark(code)) next -= 1;
    else if (code === 62 /* > */) {
      const open = text.lastIndexOf("<", next);
      if (
        open === -1 ||
        next - open > longestTag ||
        text.indexOf(">", open) !== next ||
        !isInlineTag(text, open)
      )
        return isInAddress(text, next);
      next = open - 1;
    } else if (code === 59 /* ; */) return endsEntity(text, next);
    else return next >= 0 && (isWordAt(text, next, -1) || isInAddress(text, next));
  }
  return true;
}

/** The same of what follows on `end`. */
export function isJoinedAfter(text: string, end: number): boolean {
  let next = end;
  for (let step = 0; step < mostMarks; step += 1) {
    const code = text.charCodeAt(next);
    if (isMark(code)) next += 1;
    else if (code === 60 /* < */) {
      if (!isInlineTag(text, next)) return false;
      const close = text.indexOf(">", next);
      if (close === -1 || close - next > longestTag) return false;
      next = close + 1;
    } else if (code === 38 /* & */) return beginsEntity(text, next);
    else return next > end && next < text.length && isWordAt(text, next, 1);
  }
  return true;
}

const mostMarks = 24;
const longestTag = 200;
const longestAddress = 256;
const longestEntity = 33;

/** `*`, `_` and `~`. */
function isMark(code: number): boolean {
  return code === 42 || code === 95 || code === 126;
}

/** A comment, a closing tag, or one that does not begin a line or block of its own. */
function isInlineTag(text: string, at: number): boolean {
  if (text.startsWith("<!--", at) || text.charCodeAt(at + 1) === 47) return true;
  const name = /^<([a-z][a-z0-9-]{0,40})[\s/>]/iu.exec(text.slice(at, at + 48))?.[1]?.toLowerCase();
  return name !== undefined && !apart.has(name);
}

const apart: ReadonlySet<string> = new Set(
  "address article aside blockquote br center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr img input li main nav ol p pre section summary table tbody td tfoot th thead tr ul".split(
    " ",
  ),
);

function isWordAt(text: string, at: number, step: 1 | -1): boolean {
  const code = text.charCodeAt(at);
  // The second half of a pair stands behind the first.
  const whole =
    code >= 0xdc00 && code <= 0xdfff && step === -1
      ? text.codePointAt(at - 1)
      : text.codePointAt(at);
  return code !== 45 && isWordCode(whole ?? code);
}

/** A row of characters without a blank in which an address began is an address to its end. */
function isInAddress(text: string, at: number): boolean {
  let start = at;
  while (
    start >= 0 &&
    at - start < longestAddress &&
    text.charCodeAt(start) > 32 &&
    text.charCodeAt(start) !== 60
  )
    start -= 1;
  // In angle brackets it ends with them.
  const bracketed = text.charCodeAt(start) === 60 && text.charCodeAt(start - 1) !== 92;
  const token = text
    .slice((bracketed ? text.lastIndexOf(">", at) : start) + 1, at + 1)
    .toLowerCase();
  return token.includes("://") || token.includes("www.");
}

function endsEntity(text: string, at: number): boolean {
  return /&#?[a-z0-9]{1,31}$/iu.test(text.slice(Math.max(0, at - longestEntity), at));
}

function beginsEntity(text: string, at: number): boolean {
  return /^&#?[a-z0-9]{1,31};/iu.test(text.slice(at, at + longestEntity + 1));
}
