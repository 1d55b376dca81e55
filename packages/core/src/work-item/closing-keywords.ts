import { foldName } from "../accounts/fold-name.ts";
import { quicklyPlain } from "../control/markdown-quick.ts";
import { besideMarkdown, isNothing, notOwnSpans, withLineFeeds } from "../control/own-words.ts";
import { isJoinedAfter, isJoinedBefore } from "../control/word-joints.ts";
import {
  beginsNumber,
  keywordBefore,
  numberAt,
  ownNameBefore,
  ownPageBefore,
  pageNumberAt,
  type ReferenceScope,
} from "./closing-grammar.ts";

/** So many issues are taken from one text, first come; the rest is ignored. */
export const mostReferences = 10;

/**
 * Numbers of the issues that a pull request's text says it closes, in order, each once.
 *
 * A keyword (`close fix resolve` and their forms, any case, not inside of a longer word), an
 * optional colon and blanks on the same line are followed directly by `#N`, `owner/repo#N`, `GH-N`
 * or the URL of an issue, that of a comment on it included. Each reference needs its own keyword.
 * Other repositories and hosts are ignored, as is everything that is not the author's own plain
 * text. Negation is not understood, as on the host.
 *
 * Linear in the length of the text and close to free where nothing closes: references are searched
 * first, because they are rare; the text's structure is looked at only when a keyword stands before
 * one.
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

/**
 * Those that stand in plain text. A single one is judged where it stands, which mostly works; else
 * the text is scanned.
 */
function ownWords(raw: string, found: readonly Candidate[]): readonly Candidate[] {
  const text = withLineFeeds(raw);
  const beside = besideMarkdown(text);
  const [first, second] = found;
  if (first !== undefined && second === undefined && isNothing(beside)) {
    const plain = quicklyPlain(text, first.at);
    if (plain !== null) return plain ? found : nothing;
  }
  const positions = found.map((candidate) => candidate.at);
  const spans = notOwnSpans(text, positions, beside);
  let span = 0;
  return found.filter(({ at }) => {
    while (span < spans.length && (spans[span + 1] ?? 0) <= at) span += 2;
    return span >= spans.length || (spans[span] ?? 0) > at;
  });
}

const nothing: readonly Candidate[] = [];
const none: readonly number[] = [];

/** Everything that reads like a closing reference, plain text or not; null when there is none. */
function candidates(text: string, scope: ReferenceScope): Candidate[] | null {
  const found = addShort(addNumbers(text, scope), text);
  return text.includes("/issues/") ? addPages(found, text, scope) : found;
}

/** `#N` and `owner/repo#N`. */
function addNumbers(text: string, scope: ReferenceScope): Candidate[] | null {
  let found: Candidate[] | null = null;
  let gap = text.length;
  for (let hash = text.indexOf("#"); hash !== -1 && isRoom(found);) {
    if (beginsNumber(text, hash + 1))
      found = add(found, text, ownNameBefore(text, hash, scope), hash + 1, numberAt);
    // No reference stands in a row of hashes; passing it here is cheaper than one search for each.
    let at = hash + 1;
    while (text.charCodeAt(at) === 35) at += 1;
    const next = nextHash(text, at, gap);
    gap = next - hash;
    hash = next;
  }
  return found;
}

/**
 * The next hash from `at`. Where the last gap was small a look at the next few characters mostly
 * saves the search.
 */
function nextHash(text: string, at: number, gap: number): number {
  if (gap <= near) for (let i = at; i < at + near; i += 1) if (text.charCodeAt(i) === 35) return i;
  return text.indexOf("#", at);
}

const near = 12;

/** `GH-N`, each letter in either case. */
function addShort(before: Candidate[] | null, text: string): Candidate[] | null {
  return addPrefixed(addPrefixed(before, text, "H-"), text, "h-");
}

function addPrefixed(
  before: Candidate[] | null,
  text: string,
  prefix: "H-" | "h-",
): Candidate[] | null {
  let found = before;
  for (
    let at = text.indexOf(prefix);
    at !== -1 && isRoom(found);
    at = text.indexOf(prefix, at + 2)
  ) {
    const first = text.charCodeAt(at - 1) | 32;
    if (first === 103 /* g */ && beginsNumber(text, at + 2))
      found = add(found, text, at - 1, at + 2, numberAt);
  }
  return found;
}

/** URLs of issues. */
function addPages(
  before: Candidate[] | null,
  text: string,
  scope: ReferenceScope,
): Candidate[] | null {
  let found = before;
  const page = foldName(`://${scope.host ?? scope.defaultHost}/${scope.owner}/${scope.repo}`);
  for (
    let path = text.indexOf("/issues/");
    path !== -1 && isRoom(found);
    path = text.indexOf("/issues/", path + 8)
  ) {
    if (beginsNumber(text, path + 8))
      found = add(found, text, ownPageBefore(text, path, page), path + 8, pageNumberAt);
  }
  return found;
}

/** Nobody writes so many references; a text that does is not read to its end. */
function isRoom(found: readonly Candidate[] | null): boolean {
  return found === null || found.length < mostCandidates;
}

const mostCandidates = 1000;

/**
 * Adds the reference that begins at `start`, with its number at `digits`, when a keyword stands
 * directly before it; -1 is the wrong repository. The keyword is looked for first, because most
 * references have none.
 */
function add(
  found: Candidate[] | null,
  text: string,
  start: number,
  digits: number,
  read: typeof numberAt,
): Candidate[] | null {
  if (start <= 0) return found;
  const at = keywordBefore(text, start);
  const number = at === -1 || isJoinedBefore(text, at) ? 0 : read(text, digits);
  if (number === 0 || isJoinedAfter(text, digits + String(number).length)) return found;
  if (found === null) return [{ at, number }];
  found.push({ at, number });
  return found;
}
