import type { ControlVerb } from "../normalise/event.ts";
import { personCalled, sameAccount } from "../accounts/account.ts";
import { asShown } from "./as-shown.ts";
import { plainText } from "./comment-text.ts";
import { addressPrefix, keywordAt, type KeywordTree, treeOf } from "./keyword-tree.ts";
import { loginAfter } from "./login.ts";
import { saysSomething } from "./said.ts";
import { isJoinedAfter, isJoinedBefore } from "./word-joints.ts";
import { beginsLine, beginsWord, isWordCode, standsAt } from "./words.ts";

/** What a comment asks for. An address is null where none is given. */
export type ControlReading =
  /** No keyword. The comment may still be addressed to one instance. */
  | { readonly kind: "none"; readonly address: string | null }
  | {
      readonly kind: "command";
      readonly verb: ControlVerb;
      readonly login: string | null;
      readonly address: string | null;
    }
  /** Two different keywords, or a cleanup in the middle of a line. */
  | { readonly kind: "ambiguous" }
  /** Two different addresses. */
  | { readonly kind: "address-conflict" }
  /** A grant without exactly one login that can be one. */
  | { readonly kind: "login-off-grammar"; readonly verb: ControlVerb };

/**
 * Reads the keyword out of a comment (docs/specification.md#keywords-and-addresses).
 *
 * Only the author's own plain words count. Keywords are whole words in any ASCII case with any run
 * of blanks between them, on one line; blanks are space and tab. The same keyword twice is one; two
 * different ones mean nothing. `cleanup` must begin a line. An address is the whole word
 * `instance:<name>`, and off the grammar of names it is none. Linear in the length.
 */
export function readControl(
  text: string,
  keywords: Readonly<Record<ControlVerb, string>>,
): ControlReading {
  if (!mayHoldControl(text, keywords)) return { kind: "none", address: null };
  const found = scan(plainText(text), text, treeOf(keywords));
  if (found.ambiguous) return { kind: "ambiguous" };
  if (found.conflict) return { kind: "address-conflict" };
  const { verb, address } = found;
  if (verb === null) return { kind: "none", address };
  if (found.badLogin) return { kind: "login-off-grammar", verb };
  return { kind: "command", verb, login: found.login, address };
}

/**
 * A keyword that stands in the text although none stands in its author's visible words: it is
 * quoted, struck out, code, or hidden, or only looks like one because of characters that don't
 * show, and nothing follows from it. Whoever wrote it may wonder why. `alone`: the text holds no other word. Null where there is none.
 */
export function hiddenKeyword(
  text: string,
  keywords: Readonly<Record<ControlVerb, string>>,
): { readonly alone: boolean } | null {
  const shown = asShown(text);
  if (!mayHoldControl(shown, keywords)) return null;
  const tree = treeOf(keywords);
  const { verb, spans } = scan(shown, shown, tree);
  if (verb === null || scan(plainText(text), text, tree).verb !== null) return null;
  let rest = "";
  let kept = 0;
  for (const [start, end] of spans) {
    rest += shown.slice(kept, start);
    kept = Math.max(kept, end);
  }
  return { alone: !saysSomething(rest + shown.slice(kept)) };
}

/**
 * Where keywords, logins of grants and addresses of the author's own visible words stand in a text,
 * as start and end.
 */
export function controlSpans(
  text: string,
  keywords: Readonly<Record<ControlVerb, string>>,
): readonly (readonly [start: number, end: number])[] {
  return mayHoldControl(text, keywords) ? scan(plainText(text), text, treeOf(keywords)).spans : [];
}

/**
 * False where no keyword and no address can stand in the text, which one look tells. A comment is
 * asked about twice: when it is placed, and when it is decided.
 */
export function mayHoldControl(
  text: string,
  keywords: Readonly<Record<ControlVerb, string>>,
): boolean {
  const { hint } = treeOf(keywords);
  if (text !== looked.text || hint !== looked.hint) looked = { text, hint, found: hint.test(text) };
  return looked.found;
}

/** The look before. */
let looked: { readonly text: string; readonly hint: RegExp | null; readonly found: boolean } = {
  text: "",
  hint: null,
  found: false,
};

/** With this an address begins. */
const letterI = 105;

/**
 * `loginAt` is where the login of a grant begins: what stands there is a name, also where it reads
 * like a keyword.
 */
type Found = {
  verb: ControlVerb | null;
  login: string | null;
  loginAt: number;
  address: string | null;
  ambiguous: boolean;
  conflict: boolean;
  badLogin: boolean;
  readonly spans: (readonly [start: number, end: number])[];
};

/**
 * Everything that stands in the plain text, in one pass. `raw` is what it was made of, with every
 * character in the same place.
 */
function scan(plain: string, raw: string, { first, steps, beyondAscii }: KeywordTree): Found {
  const found: Found = {
    verb: null,
    login: null,
    loginAt: -1,
    address: null,
    ambiguous: false,
    conflict: false,
    badLogin: false,
    spans: [],
  };
  for (let at = 0; at < plain.length; at += 1) {
    const code = plain.charCodeAt(at);
    if (code < 128 ? first[code] !== 1 : !beyondAscii) continue;
    if (!beginsWord(plain, at)) continue;
    const address = (code | 32) === letterI ? addressAt(plain, at) : null;
    if (address !== null) {
      if (found.address !== null && found.address !== address) found.conflict = true;
      found.address = address;
      found.spans.push([at, at + addressPrefix.length + address.length]);
      // A name is no place for a keyword.
      at += addressPrefix.length + address.length - 1;
      continue;
    }
    const keyword = keywordAt(plain, at, steps);
    if (keyword === null || isJoinedBefore(raw, at) || isJoinedAfter(raw, keyword.end)) continue;
    found.spans.push([at, keyword.end]);
    if (at !== found.loginAt) take(found, plain, keyword, at);
    // Nothing that follows can make it clear again.
    if (found.ambiguous) return found;
    at = keyword.end - 1;
  }
  return found;
}

/** Adds one more keyword to what was found. */
function take(
  found: Found,
  plain: string,
  { verb, end }: { readonly verb: ControlVerb; readonly end: number },
  at: number,
): void {
  if (found.verb !== null && found.verb !== verb) found.ambiguous = true;
  if (verb === "cleanup" && !beginsLine(plain, at)) found.ambiguous = true;
  found.verb = verb;
  if (found.badLogin || (verb !== "add-collaborator" && verb !== "remove-collaborator")) return;
  const login = loginAfter(plain, end);
  if (
    login === null ||
    (found.login !== null && !sameAccount(personCalled(found.login), personCalled(login)))
  )
    found.badLogin = true;
  found.login = login;
  found.loginAt = login === null ? -1 : plain.indexOf(`@${login}`, end) + 1;
  if (login !== null) found.spans.push([end, found.loginAt + login.length]);
}

/** Name of the instance that is addressed at `at`; null when there is no address. */
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

/**
 * What belongs to the word after the prefix, also where that makes it no name: `a/b` is not the
 * instance `a`.
 */
function isNameCode(code: number): boolean {
  return isWordCode(code) || code === 47 || code === 64;
}

/** What may end the word behind a name, `.` and `:`. */
function isTrailing(code: number): boolean {
  return code === 46 || code === 58;
}

/** Grammar of `instance.name`. */
const instanceName = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;
