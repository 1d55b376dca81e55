import { isLogin, longestLogin } from "../accounts/account.ts";
import { addressPrefix } from "./keyword-tree.ts";
import { beginsWord, isLineEnd, skipBlanks, standsAt } from "./words.ts";

/**
 * The one login that a grant names, without its `@`: the next word of the line, an address aside.
 * Null for teams, bots, two mentions and whatever no login looks like.
 */
export function loginAfter(plain: string, keywordEnd: number): string | null {
  let at = skipBlanks(plain, keywordEnd);
  if (standsAt(plain, at, addressPrefix)) at = skipBlanks(plain, wordEnd(plain, at));
  if (at === keywordEnd || plain.charCodeAt(at) !== mention) return null;
  const end = wordEnd(plain, at);
  const login = withoutTrailing(plain.slice(at + 1, Math.min(end, at + longestLogin + 2)));
  return isLogin(login) && !hasMention(plain, end) ? login : null;
}

const mention = 64;

/** True when somebody else is mentioned later on the line; the search ends at the first mention. */
function hasMention(plain: string, from: number): boolean {
  for (let at = from; at < plain.length && !isLineEnd(plain.charCodeAt(at)); at += 1) {
    if (plain.charCodeAt(at) === mention && beginsWord(plain, at) && wordEnd(plain, at) > at + 1)
      return true;
  }
  return false;
}

/** Where the run of characters that are neither blanks nor line ends stops. */
function wordEnd(plain: string, at: number): number {
  let end = at;
  while (end < plain.length && !isLineEnd(plain.charCodeAt(end)) && skipBlanks(plain, end) === end)
    end += 1;
  return end;
}

/** Drops the punctuation that ends a sentence. */
function withoutTrailing(word: string): string {
  let end = word.length;
  while (end > 0 && ".,;:!?)".includes(word.charAt(end - 1))) end -= 1;
  return word.slice(0, end);
}
