import { hiddenSpans } from "../control/markdown-blocks.ts";
import { quicklyPlain } from "../control/markdown-quick.ts";
import { largestNumber, sameName } from "./ref.ts";

/** The repository that a text belongs to. `host` is its domain in lower case where it is not the default one. */
export type ReferenceScope = { readonly owner: string; readonly repo: string; readonly defaultHost: string; readonly host?: string | null };

/** So many issues are taken from one text, first come; the rest is ignored (P12). */
export const mostReferences = 10;

/**
 * Numbers of the issues that a pull request's text says it closes, in order, each once (service.md 3.3, decisions.md 5).
 *
 * A keyword (`close fix resolve` and their forms, any case, not inside of a longer word), an optional colon and blanks
 * on the same line are followed directly by `#N`, `owner/repo#N`, `GH-N` or the URL of an issue, that of a comment on
 * it included. Each reference needs its own keyword. Other repositories and hosts are ignored, as is everything that is
 * not the author's own plain text. Negation is not understood, as on the host.
 *
 * Linear in the length of the text and close to free where nothing closes: references are searched first, because they
 * are rare; the text's structure is looked at only when a keyword stands before one.
 */
export function closingReferences(text: string, scope: ReferenceScope): readonly number[] {
  const found = candidates(text, scope);
  if (found === null) return none;
  if (found.length > 1) found.sort((a, b) => a.at - b.at);
  const numbers: number[] = [];
  for (const { number } of ownWords(text, found)) {
    if (numbers.includes(number)) continue;
    numbers.push(number);
    if (numbers.length === mostReferences) break;
  }
  return numbers;
}

/** A keyword before a reference: where the keyword begins, and the issue. */
type Candidate = { readonly at: number; readonly number: number };

/** Those that stand in plain text. A single one is judged where it stands, which mostly works; else the text is scanned. */
function ownWords(text: string, found: readonly Candidate[]): readonly Candidate[] {
  const [first, second] = found;
  if (first !== undefined && second === undefined) {
    const plain = quicklyPlain(text, first.at);
    if (plain !== null) return plain ? found : nothing;
  }
  const spans = hiddenSpans(
    text,
    found.map((candidate) => candidate.at),
  );
  let span = 0;
  return found.filter(({ at }) => {
    while (span < spans.length && (spans[span + 1] ?? 0) <= at) span += 2;
    return span >= spans.length || (spans[span] ?? 0) > at;
  });
}

const nothing: readonly Candidate[] = [];

/** Everything that reads like a closing reference, plain text or not; null when there is none. */
function candidates(text: string, scope: ReferenceScope): Candidate[] | null {
  const found = addShort(addShort(addNumbers(text, scope), text, "GH-"), text, "gh-");
  return text.includes("/issues/") ? addPages(found, text, scope) : found;
}

/** `#N` and `owner/repo#N`. */
function addNumbers(text: string, scope: ReferenceScope): Candidate[] | null {
  let found: Candidate[] | null = null;
  let gap = text.length;
  for (let hash = text.indexOf("#"); hash !== -1 && isRoom(found); ) {
    const number = numberAt(text, hash + 1);
    if (number > 0) found = add(found, text, ownNameBefore(text, hash, scope), number);
    // No reference stands in a row of hashes; passing it here is cheaper than one search for each.
    let at = hash + 1;
    while (text.charCodeAt(at) === 35) at += 1;
    const next = nextHash(text, at, gap);
    gap = next - hash;
    hash = next;
  }
  return found;
}

/** The next hash from `at`. Where the last gap was small a look at the next few characters mostly saves the search. */
function nextHash(text: string, at: number, gap: number): number {
  if (gap <= near) for (let i = at; i < at + near; i += 1) if (text.charCodeAt(i) === 35) return i;
  return text.indexOf("#", at);
}

const near = 12;

/** `GH-N`. */
function addShort(before: Candidate[] | null, text: string, prefix: string): Candidate[] | null {
  let found = before;
  for (let at = text.indexOf(prefix); at !== -1 && isRoom(found); at = text.indexOf(prefix, at + 3)) {
    const number = numberAt(text, at + 3);
    if (number > 0) found = add(found, text, at, number);
  }
  return found;
}

/** URLs of issues. */
function addPages(before: Candidate[] | null, text: string, scope: ReferenceScope): Candidate[] | null {
  let found = before;
  const page = `://${scope.host ?? scope.defaultHost}/${scope.owner}/${scope.repo}`.toLowerCase();
  for (let path = text.indexOf("/issues/"); path !== -1 && isRoom(found); path = text.indexOf("/issues/", path + 8)) {
    const number = numberAt(text, path + 8);
    if (number > 0) found = add(found, text, ownPageBefore(text, path, page), number);
  }
  return found;
}

/** Nobody writes so many references; a text that does is not read to its end. */
function isRoom(found: readonly Candidate[] | null): boolean {
  return found === null || found.length < mostCandidates;
}

const mostCandidates = 1000;

/** Adds the reference that begins at `start` when a keyword stands directly before it; -1 is the wrong repository. */
function add(found: Candidate[] | null, text: string, start: number, number: number): Candidate[] | null {
  if (start <= 0) return found;
  const at = keywordBefore(text, start);
  if (at === -1) return found;
  if (found === null) return [{ at, number }];
  found.push({ at, number });
  return found;
}

/** The number that stands at `at`, 0 when there is none: no leading zero, within range, not run on into a word (P12). */
function numberAt(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (!(first >= 49 && first <= 57)) return 0;
  let value = 0;
  let end = at;
  for (; end < text.length && end - at < 11; end += 1) {
    const digit = text.charCodeAt(end) - 48;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
  }
  return value > largestNumber || goesOn(text, end, 1) ? 0 : value;
}

/** Where a reference with a `#` at `hash` begins: at the hash, or at the name of our own repository before it. */
function ownNameBefore(text: string, hash: number, scope: ReferenceScope): number {
  if (hash === 0 || !isNamePart(text.charCodeAt(hash - 1))) return hash;
  const start = hash - scope.owner.length - scope.repo.length - 1;
  if (start < 0 || text.charCodeAt(start + scope.owner.length) !== 47) return -1;
  if (start > 0 && isNamePart(text.charCodeAt(start - 1))) return -1;
  return sameName(text.slice(start, start + scope.owner.length), scope.owner) && sameName(text.slice(hash - scope.repo.length, hash), scope.repo) ? start : -1;
}

/** Where the URL with `/issues/` at `path` begins when it is on our own host and repository; -1 else. `page` is in lower case. */
function ownPageBefore(text: string, path: number, page: string): number {
  const colon = path - page.length;
  if (colon < 4 || !endsAs(text, path, page)) return -1;
  const secure = (text.charCodeAt(colon - 1) | 32) === 115;
  const start = secure ? colon - 5 : colon - 4;
  if (start < 0 || !endsAs(text, start + 4, "http")) return -1;
  // An autolink shows the same as the bare URL.
  return start > 0 && text.charCodeAt(start - 1) === 60 ? start - 1 : start;
}

/** Whether `what`, in lower case, stands before `end` in any ASCII case; told from its end, where texts differ first. */
function endsAs(text: string, end: number, what: string): boolean {
  const start = end - what.length;
  for (let i = what.length - 1; i >= 0; i -= 1) {
    const code = text.charCodeAt(start + i);
    if ((code >= 65 && code <= 90 ? code + 32 : code) !== what.charCodeAt(i)) return false;
  }
  return true;
}

/** Where the keyword begins that stands directly before `start`; -1 when none does. */
function keywordBefore(text: string, start: number): number {
  let at = start - 1;
  if (!isBlank(text.charCodeAt(at))) return -1;
  while (at >= 0 && isBlank(text.charCodeAt(at))) at -= 1;
  if (at >= 0 && text.charCodeAt(at) === 58 /* : */) {
    at -= 1;
    while (at >= 0 && isBlank(text.charCodeAt(at))) at -= 1;
  }
  const end = at + 1;
  for (const keyword of keywordsEndingIn(text.charCodeAt(at) | 32)) {
    const begin = end - keyword.length;
    if (begin >= 0 && matches(text, begin, keyword) && !goesOn(text, begin - 1, -1)) return begin;
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
  for (let i = 0; i < keyword.length; i += 1) if ((text.charCodeAt(at + i) | 32) !== keyword.charCodeAt(i)) return false;
  return true;
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

/** Whether a word runs on at `at` in the direction of `step`. Up to three `_` around it are emphasis. */
function goesOn(text: string, at: number, step: 1 | -1): boolean {
  let next = at;
  for (let i = 0; i < 3 && text.charCodeAt(next) === 95; i += 1) next += step;
  return isWord(text.charCodeAt(next));
}

/** Letters, digits and `_`, and letters of other alphabets. */
function isWord(code: number): boolean {
  const lower = code | 32;
  return (lower >= 97 && lower <= 122) || (code >= 48 && code <= 57) || code === 95 || (code >= 0xc0 && code <= 0x5_2f);
}

/** What may stand in `owner/repo` before a `#`. */
function isNamePart(code: number): boolean {
  return isWord(code) || code === 45 || code === 46 || code === 47;
}

const endInE: readonly string[] = ["close", "resolve"];
const endInS: readonly string[] = ["closes", "fixes", "resolves"];
const endInD: readonly string[] = ["closed", "fixed", "resolved"];
const endInX: readonly string[] = ["fix"];
const noKeywords: readonly string[] = [];
const none: readonly number[] = [];
