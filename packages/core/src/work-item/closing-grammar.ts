import { largestNumber, sameName } from "./ref.ts";

/**
 * The repository that a text belongs to. `host` is its domain in lower case where it is not the
 * default one.
 */
export type ReferenceScope = {
  readonly owner: string;
  readonly repo: string;
  readonly defaultHost: string;
  readonly host?: string | null;
};

/** Whether a number may stand at `at`: told by its first digit. */
export function beginsNumber(text: string, at: number): boolean {
  const first = text.charCodeAt(at);
  return first >= 49 && first <= 57;
}

/**
 * The number that stands at `at`, 0 when there is none: no leading zero, within range, not run on
 * into a word.
 */
export function numberAt(text: string, at: number): number {
  if (!beginsNumber(text, at)) return 0;
  let value = 0;
  let end = at;
  for (; end < text.length && end - at < 11; end += 1) {
    const digit = text.charCodeAt(end) - 48;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  return value > largestNumber || goesOn(text, end, 1) ? 0 : value;
}

/**
 * The number of an issue's page that stands at `at`, 0 when there is none: a page below it, such as
 * `/7/events`, is not the issue's.
 */
export function pageNumberAt(text: string, at: number): number {
  const number = numberAt(text, at);
  const end = at + String(number).length;
  return text.charCodeAt(end) === 47 && isWord(text.charCodeAt(end + 1)) ? 0 : number;
}

/**
 * Where a reference with a `#` at `hash` begins: at the hash, or at the name of our own repository
 * before it.
 */
export function ownNameBefore(text: string, hash: number, scope: ReferenceScope): number {
  if (isBlank(text.charCodeAt(hash - 1))) return hash;
  const start = hash - scope.owner.length - scope.repo.length - 1;
  if (text.charCodeAt(start + scope.owner.length) !== 47) return -1;
  return sameName(text.slice(start, start + scope.owner.length), scope.owner) &&
    sameName(text.slice(hash - scope.repo.length, hash), scope.repo)
    ? start
    : -1;
}

/**
 * Where the URL with `/issues/` at `path` begins when it is on our own host and repository; -1
 * else. `page` is in lower case.
 */
export function ownPageBefore(text: string, path: number, page: string): number {
  const colon = path - page.length;
  if (!endsAs(text, path, page)) return -1;
  const secure = (text.charCodeAt(colon - 1) | 32) === 115;
  const start = secure ? colon - 5 : colon - 4;
  if (!endsAs(text, start + 4, "http")) return -1;
  // An autolink shows the same as the bare URL.
  return text.charCodeAt(start - 1) === 60 ? start - 1 : start;
}

/**
 * Whether `what`, in lower case, stands before `end` in any ASCII case; told from its end, where
 * texts differ first.
 */
function endsAs(text: string, end: number, what: string): boolean {
  const start = end - what.length;
  for (let i = what.length - 1; i >= 0; i -= 1) {
    const code = text.charCodeAt(start + i);
    if ((code >= 65 && code <= 90 ? code + 32 : code) !== what.charCodeAt(i)) return false;
  }
  return true;
}

/** Where the keyword begins that stands directly before `start`; -1 when none does. */
export function keywordBefore(text: string, start: number): number {
  let at = start - 1;
  if (!isBlank(text.charCodeAt(at))) return -1;
  while (isBlank(text.charCodeAt(at))) at -= 1;
  if (text.charCodeAt(at) === 58 /* : */) {
    at -= 1;
    while (isBlank(text.charCodeAt(at))) at -= 1;
  }
  const end = at + 1;
  for (const keyword of keywordsEndingIn(text.charCodeAt(at) | 32)) {
    const begin = end - keyword.length;
    if (matches(text, begin, keyword) && !goesOn(text, begin - 1, -1)) return begin;
  }
  return -1;
}

/** Keywords by their last letter, so that most words are dismissed by one look. */
function keywordsEndingIn(letter: number): readonly string[] {
  switch (letter) {
    case 101 /* e */:
      return endInE;
    case 115 /* s */:
      return endInS;
    case 100 /* d */:
      return endInD;
    case 120 /* x */:
      return endInX;
    default:
      return noKeywords;
  }
}

/** Compares ASCII letters without case. */
function matches(text: string, at: number, keyword: string): boolean {
  for (let i = 0; i < keyword.length; i += 1)
    if ((text.charCodeAt(at + i) | 32) !== keyword.charCodeAt(i)) return false;
  return true;
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

/**
 * Whether a word runs on at `at` in the direction of `step`. Up to three `_` around it are
 * emphasis.
 */
function goesOn(text: string, at: number, step: 1 | -1): boolean {
  let next = at;
  for (let i = 0; i < 3 && text.charCodeAt(next) === 95; i += 1) next += step;
  return isWord(text.charCodeAt(next));
}

/** Letters, digits and `_`, and letters of other alphabets. */
function isWord(code: number): boolean {
  const lower = code | 32;
  return (
    (lower >= 97 && lower <= 122) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    (code >= 0xc0 && code <= 0x5_2f)
  );
}

const endInE: readonly string[] = ["close", "resolve"];
const endInS: readonly string[] = ["closes", "fixes", "resolves"];
const endInD: readonly string[] = ["closed", "fixed", "resolved"];
const endInX: readonly string[] = ["fix"];
const noKeywords: readonly string[] = [];
