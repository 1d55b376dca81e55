import type { ControlVerb } from "../normalise/event.ts";
import { personCalled, sameAccount } from "../accounts/account.ts";
import { maskedText, plainText } from "./comment-text.ts";
import { addressPrefix, keywordAt, type KeywordTree, treeOf } from "./keyword-tree.ts";
import { loginAfter } from "./login.ts";
import { beginsLine, beginsWord, isLineEnd, isWordCode, skipBlanks, standsAt } from "./words.ts";

/** What a comment asks for. An address is null where none is given. */
export type ControlReading =
  /** No keyword. The comment may still be addressed to one instance. */
  | { readonly kind: "none"; readonly address: string | null }
  | { readonly kind: "command"; readonly verb: ControlVerb; readonly login: string | null; readonly address: string | null }
  /** Two different keywords, or a cleanup in the middle of a line. */
  | { readonly kind: "ambiguous" }
  /** Two different addresses. */
  | { readonly kind: "address-conflict" }
  /** A grant without exactly one login that can be one. */
  | { readonly kind: "login-off-grammar"; readonly verb: ControlVerb };

/**
 * Reads the keyword out of a comment (service.md 4.4, 6.2; decisions.md 5; P01-P03, P05, P06).
 *
 * Only the author's own plain words count. Keywords are whole words in any ASCII case with any run of blanks between them, on
 * one line; blanks are space and tab. The same keyword twice is one; two different ones mean nothing. `cleanup` must begin
 * a line. An address is the whole word `instance:<name>`, and off the grammar of names it is none. Linear in the length.
 */
export function readControl(text: string, keywords: Readonly<Record<ControlVerb, string>>): ControlReading {
  if (!mayHoldControl(text, keywords)) return { kind: "none", address: null };
  const found = scan(plainText(text), treeOf(keywords));
  if (found.ambiguous) return { kind: "ambiguous" };
  if (found.conflict) return { kind: "address-conflict" };
  const { verb, address } = found;
  if (verb === null) return { kind: "none", address };
  if (found.badLogin) return { kind: "login-off-grammar", verb };
  return { kind: "command", verb, login: found.login, address };
}

/**
 * The comment without what `readControl` acts on, so that the rest can be told to a session: keywords, the login of a grant, and addresses
 * are cut where they stand, with the blanks and the punctuation around them. What was on both sides of a cut comes to stand on lines of its
 * own, so that no new keyword forms. Empty where nothing is left but mentions and punctuation.
 */
export function withoutControl(text: string, keywords: Readonly<Record<ControlVerb, string>>): string {
  if (!mayHoldControl(text, keywords)) return text;
  const { cuts } = scan(maskedText(text), treeOf(keywords));
  if (cuts.length === 0) return text;
  let rest = "";
  let kept = 0;
  for (const cut of cuts) {
    // An address between the keyword of a grant and its login stands in the cut before.
    if (cut.end <= kept) continue;
    const { start, end } = withEmphasis(text, cut);
    rest = joined(rest, text.slice(kept, start));
    kept = passPunctuation(text, end);
  }
  rest = joined(rest, text.slice(kept)).trim();
  return /[\p{L}\p{N}]/u.test(rest.replace(/@[A-Za-z0-9_-]{1,40}/g, "")) ? rest : "";
}

/** What is cut, with the emphasis right around it. */
function withEmphasis(text: string, { start, end }: Cut): Cut {
  let wide = 0;
  while (wide < 3 && emphasis.has(text.charCodeAt(end + wide)) && text.charCodeAt(start - 1 - wide) === text.charCodeAt(end + wide)) wide += 1;
  return { start: start - wide, end: end + wide };
}

/** Two pieces of a text around a cut: on lines of their own, with the blank lines of the first where it ends in some. */
function joined(before: string, after: string): string {
  const head = before.slice(0, blanksFrom(before));
  let tail = after.slice(skipBlanks(after, 0));
  if (head === "" || isLineEnd(head.charCodeAt(head.length - 1))) return head + tail.trimStart();
  if (tail !== "" && !isLineEnd(tail.charCodeAt(0))) tail = `\n${tail}`;
  return head + tail;
}

/** Where the blanks at the end of a text begin. */
function blanksFrom(text: string): number {
  let end = text.length;
  while (end > 0 && skipBlanks(text.charAt(end - 1), 0) === 1) end -= 1;
  return end;
}

/** What ends a sentence or sets off a word right behind a cut belongs to what was cut. */
function passPunctuation(text: string, from: number): number {
  let end = from;
  while (end < text.length && ",.;:!?".includes(text.charAt(end))) end += 1;
  return end;
}

/** `*` and `_`. */
const emphasis: ReadonlySet<number> = new Set([42, 95]);

/** False where no keyword and no address can stand in the text, which one look tells. A comment is asked about twice: when it is placed, and when it is decided. */
export function mayHoldControl(text: string, keywords: Readonly<Record<ControlVerb, string>>): boolean {
  const { hint } = treeOf(keywords);
  if (text !== looked.text || hint !== looked.hint) looked = { text, hint, found: hint.test(text) };
  return looked.found;
}

/** The look before. */
let looked: { readonly text: string; readonly hint: RegExp | null; readonly found: boolean } = { text: "", hint: null, found: false };

/** With this an address begins. */
const letterI = 105;

/** A piece of the text that is for the service alone. */
type Cut = { readonly start: number; readonly end: number };

/** `loginAt` is where the login of a grant begins: what stands there is a name, also where it reads like a keyword. `cuts` is where all of it stands. */
type Found = { readonly cuts: Cut[]; verb: ControlVerb | null; login: string | null; loginAt: number; address: string | null; ambiguous: boolean; conflict: boolean; badLogin: boolean };

/** Everything that stands in the plain text, in one pass. */
function scan(plain: string, { first, steps, beyondAscii }: KeywordTree): Found {
  const found: Found = { cuts: [], verb: null, login: null, loginAt: -1, address: null, ambiguous: false, conflict: false, badLogin: false };
  for (let at = 0; at < plain.length; at += 1) {
    const code = plain.charCodeAt(at);
    if (code < 128 ? first[code] !== 1 : !beyondAscii) continue;
    if (!beginsWord(plain, at)) continue;
    const address = (code | 32) === letterI ? addressAt(plain, at) : null;
    if (address !== null) {
      if (found.address !== null && found.address !== address) found.conflict = true;
      found.address = address;
      found.cuts.push({ start: at, end: at + addressPrefix.length + address.length });
      // A name is no place for a keyword.
      at += addressPrefix.length + address.length - 1;
      continue;
    }
    const keyword = keywordAt(plain, at, steps);
    if (keyword === null) continue;
    if (at !== found.loginAt) take(found, plain, keyword, at);
    // Nothing that follows can make it clear again.
    if (found.ambiguous) return found;
    at = keyword.end - 1;
  }
  return found;
}

/** Adds one more keyword to what was found. */
function take(found: Found, plain: string, { verb, end }: { readonly verb: ControlVerb; readonly end: number }, at: number): void {
  if (found.verb !== null && found.verb !== verb) found.ambiguous = true;
  if (verb === "cleanup" && !beginsLine(plain, at)) found.ambiguous = true;
  found.verb = verb;
  found.cuts.push({ start: at, end });
  if (found.badLogin || (verb !== "add-collaborator" && verb !== "remove-collaborator")) return;
  const login = loginAfter(plain, end);
  if (login === null || (found.login !== null && !sameAccount(personCalled(found.login), personCalled(login)))) found.badLogin = true;
  found.login = login;
  found.loginAt = login === null ? -1 : plain.indexOf(`@${login}`, end) + 1;
  if (login !== null) found.cuts.push({ start: end, end: found.loginAt + login.length });
}

/** Name of the instance that is addressed at `at`; null when there is no address (P05). */
function addressAt(plain: string, at: number): string | null {
  if (!standsAt(plain, at, addressPrefix)) return null;
  const start = at + addressPrefix.length;
  let end = start;
  // A name is at most 40 long; a longer run of its characters is off the grammar wherever it ends.
  while (end - start <= 40 && isInstanceCode(plain.charCodeAt(end))) end += 1;
  let after = end;
  while (isTrailing(plain.charCodeAt(after))) after += 1;
  if (isNameCode(plain.codePointAt(after) ?? 0)) return null;
  const name = plain.slice(start, end);
  return instanceName.test(name) ? name : null;
}

/** What names of instances are made of. */
function isInstanceCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 45;
}

/** What belongs to the word after the prefix, also where that makes it no name: `a/b` is not the instance `a`. */
function isNameCode(code: number): boolean {
  return isWordCode(code) || code === 47 || code === 64;
}

/** What may end the word behind a name, `.` and `:`. */
function isTrailing(code: number): boolean {
  return code === 46 || code === 58;
}

/** Grammar of `instance.name` (decisions.md 2). */
const instanceName = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;
