import type { Chars, Span } from "./redact.ts";

/** A kind of token: how it begins, what it goes on with, and from how many characters on. */
type Shape = {
  readonly prefix: string;
  readonly rest: (code: number) => boolean;
  readonly least: number;
};

const isDigit = (c: number): boolean => c >= 48 && c <= 57;
const isUpper = (c: number): boolean => c >= 65 && c <= 90;
const isAlnum = (c: number): boolean => isDigit(c) || isUpper(c) || (c >= 97 && c <= 122);
const isWord = (c: number): boolean => isAlnum(c) || c === 95;
const isToken = (c: number): boolean => isWord(c) || c === 45;
const isBearer = (c: number): boolean =>
  isToken(c) || c === 46 || c === 126 || c === 43 || c === 47 || c === 61;

const shapes: readonly Shape[] = [
  ...["ghp_", "gho_", "ghu_", "ghs_", "ghr_"].map((prefix): Shape => ({
    prefix,
    rest: isWord,
    least: 20,
  })),
  { prefix: "github_pat_", rest: isWord, least: 20 },
  { prefix: "glpat-", rest: isToken, least: 16 },
  { prefix: "sk-", rest: isToken, least: 20 },
  { prefix: "xoxb-", rest: isToken, least: 16 },
  { prefix: "xoxp-", rest: isToken, least: 16 },
  { prefix: "xapp-", rest: isToken, least: 16 },
  { prefix: "npm_", rest: isAlnum, least: 30 },
  { prefix: "AKIA", rest: (c) => isDigit(c) || isUpper(c), least: 16 },
  { prefix: "ASIA", rest: (c) => isDigit(c) || isUpper(c), least: 16 },
  { prefix: "Bearer ", rest: isBearer, least: 16 },
  { prefix: "bearer ", rest: isBearer, least: 16 },
];

const byFirst: ReadonlyMap<number, readonly Shape[]> = Map.groupBy(shapes, (shape) =>
  shape.prefix.charCodeAt(0),
);

/**
 * Stretches of a text that have the shape of a token, a private key, or a login inside of a URL.
 * One pass.
 */
export function tokenSpans(text: Chars): readonly Span[] {
  const spans: Span[] = [];
  let i = 0;
  while (i < text.length) {
    const found = spanAt(text, i);
    if (found.end > found.start) spans.push({ start: found.start, end: found.end, name: null });
    i = found.next;
  }
  return spans;
}

/**
 * What begins at an index: an empty span when nothing does. `next`, behind the index, is where
 * looking goes on.
 */
type Found = { readonly start: number; readonly end: number; readonly next: number };

const nothing = (next: number): Found => ({ start: 0, end: 0, next });

function spanAt(text: Chars, i: number): Found {
  const code = text.charCodeAt(i);
  if (code === 58) return loginInUrl(text, i);
  if (code === 45) return privateKey(text, i);
  if (isWord(text.charCodeAt(i - 1))) return nothing(i + 1);
  const jwt = webToken(text, i);
  if (jwt !== null) return jwt;
  for (const { prefix, rest, least } of byFirst.get(code) ?? []) {
    if (!startsAt(text, prefix, i)) continue;
    const from = i + prefix.length;
    const end = runEnd(text, from, rest);
    // A run that is too short is at most `least` long, so that looking at it again costs a
    // constant.
    if (end - from >= least) return { start: prefix.endsWith(" ") ? from : i, end, next: end };
  }
  return nothing(i + 1);
}

/**
 * `eyJ….….…`. Nothing inside of a first part without a dot behind it can begin another, so that it
 * is skipped whole.
 */
function webToken(text: Chars, i: number): Found | null {
  if (!startsAt(text, "eyJ", i)) return null;
  const first = runEnd(text, i, isToken);
  if (text.charCodeAt(first) !== 46) return nothing(first);
  const second = runEnd(text, first + 1, isToken);
  if (second === first + 1 || text.charCodeAt(second) !== 46) return nothing(second);
  const third = runEnd(text, second + 1, isToken);
  return first - i >= 10 ? { start: i, end: third, next: third } : nothing(third);
}

/** The login of `scheme://user:password@host`. */
function loginInUrl(text: Chars, i: number): Found {
  if (!startsAt(text, "://", i)) return nothing(i + 1);
  const from = i + 3;
  let colon = false;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 64) return colon ? { start: from, end: at, next: at } : nothing(at);
    if (code === 58) colon = true;
    if (code <= 32 || code === 47 || code === 34 || code === 39 || code === 63 || code === 35)
      return nothing(at);
  }
  return nothing(from);
}

/**
 * A private key in PEM, with everything up to its end line, or to the end of the text when that is
 * missing.
 */
function privateKey(text: Chars, i: number): Found {
  if (!startsAt(text, "-----BEGIN ", i)) return nothing(i + 1);
  const name = runEnd(text, i + 11, (c) => isUpper(c) || isDigit(c) || c === 32);
  if (!startsAt(text, "-----", name) || text.slice(name - 11, name) !== "PRIVATE KEY")
    return nothing(name);
  let at = name + 5;
  while (at < text.length && !startsAt(text, "-----END ", at)) at += 1;
  const closing = runEnd(
    text,
    Math.min(text.length, at + 9),
    (c) => isUpper(c) || isDigit(c) || c === 32,
  );
  const end = Math.min(text.length, startsAt(text, "-----", closing) ? closing + 5 : closing);
  return { start: i, end, next: end };
}

/**
 * Where a run of fitting characters ends. Behind the end of a text is no number, which fits
 * nothing.
 */
function runEnd(text: Chars, from: number, fits: (code: number) => boolean): number {
  let end = from;
  while (fits(text.charCodeAt(end))) end += 1;
  return end;
}

function startsAt(text: Chars, word: string, at: number): boolean {
  for (let k = 0; k < word.length; k++)
    if (text.charCodeAt(at + k) !== word.charCodeAt(k)) return false;
  return true;
}
