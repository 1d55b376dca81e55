import { foldName } from "../accounts/fold-name.ts";

/**
 * References to issues and pull requests: `host:<owner>/<repo>#<n>`, and
 * `host:<domain>/<owner>/<repo>#<n>` on another host than the default one
 * (docs/specification.md#references).
 */
export type Ref = {
  /** Domain in lower case; null means the default host. */
  readonly host: string | null;
  readonly owner: string;
  readonly repo: string;
  /** 1 to 2,147,483,647. */
  readonly number: number;
};

/**
 * The written form of a ref; made only by `formatRef`, with owner and repo in lower case (the host
 * ignores case).
 */
export type RefText = string & { readonly __refText: true };

/** What a ref looks like, for hints of errors. */
export const refGrammar =
  "host:<owner>/<repo>#<number>, or host:<domain>/<owner>/<repo>#<number> on another host than the default one";

/** Largest number that the host gives out: a signed 32-bit integer. */
export const largestNumber = 2_147_483_647;

/**
 * Reads a written ref; null when the text is not exactly one. A domain equal to `defaultHost`
 * (lower case) is the same as none. Case of `host:` and names is kept out of comparisons by
 * `formatRef` and `sameRef`.
 */
export function parseRef(text: string, defaultHost: string | null = null): Ref | null {
  if (text.length > longestRef || !text.startsWith("host:")) return null;
  const hash = text.lastIndexOf("#");
  const number = parseNumber(text.slice(hash + 1));
  const path = text.slice(prefixLength, hash).split("/");
  const [repo, owner, domain] = path.toReversed();
  if (number === null || path.length > 3 || repo === undefined || owner === undefined) return null;
  if (!isRepositoryName(repo) || !isOwnerName(owner)) return null;
  if (domain === undefined) return { host: null, owner, repo, number };
  const host = domain.toLowerCase();
  return isDomain(host) ? { host: host === defaultHost ? null : host, owner, repo, number } : null;
}

/** The one written form of a ref: names and domain in lower case. */
export function formatRef(ref: Ref): RefText {
  const path = `${foldName(ref.owner)}/${foldName(ref.repo)}#${ref.number}`;
  return brand(ref.host === null ? `host:${path}` : `host:${ref.host.toLowerCase()}/${path}`);
}

/** What the refs of a repository's items begin with, up to and including the `#`. */
export function refPrefix(repository: Omit<Ref, "number">): string {
  return formatRef({ ...repository, number: 1 }).slice(0, -1);
}

/**
 * The canonical form of a written ref, null when it is none: what people type becomes what tables
 * hold.
 */
export function toRefText(text: string, defaultHost: string | null = null): RefText | null {
  const ref = parseRef(text, defaultHost);
  return ref === null ? null : formatRef(ref);
}

/** Whether two refs name the same thing; the host ignores the case of names. */
export function sameRef(a: Ref, b: Ref): boolean {
  return (
    a.number === b.number &&
    a.host === b.host &&
    sameName(a.repo, b.repo) &&
    sameName(a.owner, b.owner)
  );
}

/**
 * Whether `foldName` makes the same of two names; compared where they stand, since a copy in lower
 * case costs more.
 */
export function sameName(a: string, b: string): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i += 1) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x === y) continue;
    const lower = x | 32;
    if (lower !== (y | 32) || lower < 97 || lower > 122) return false;
  }
  return true;
}

/**
 * A name for folders, branches and sockets: lower-case letters, digits and `.-_+=`, first a letter
 * or digit, never two refs with the same slug. `owner+repo+number`, with the domain before it on
 * another host than the default one. At most 255 characters, 120 where the names leave room for it;
 * `+` is in no name, so that no two readings fit.
 */
export function refSlug(ref: Ref): string {
  const path = `${ref.owner}+${ref.repo}+${ref.number}`;
  return (ref.host === null ? path : `${ref.host.replace(":", "=")}+${path}`).toLowerCase();
}

/** Owners: letters, digits, `-`, `_` and `.`, first a letter or digit; at most 64. */
export function isOwnerName(name: string): boolean {
  return (
    name.length <= 64 && isAlphanumeric(name.charCodeAt(0)) && isNameText(name) && !endsInGit(name)
  );
}

/**
 * Repositories: the same characters, at most 100, not `.`, `..`, nothing that ends in `.git` or
 * begins with `-`.
 */
export function isRepositoryName(name: string): boolean {
  if (name.length === 0 || name.length > 100 || name.charCodeAt(0) === 45) return false;
  return isNameText(name) && name !== "." && name !== ".." && !endsInGit(name);
}

/** Domains and addresses in lower case, with an optional port; at most 70 characters. */
export function isDomain(text: string): boolean {
  const colon = text.indexOf(":");
  const name = colon === -1 ? text : text.slice(0, colon);
  if (colon !== -1 && !isPort(text.slice(colon + 1))) return false;
  if (text.length > 70) return false;
  let previous = 46;
  for (let i = 0; i < name.length; i += 1) {
    const code = name.charCodeAt(i);
    const letter = (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
    if (!letter && (previous === 46 || (code !== 46 && code !== 45))) return false;
    previous = code;
  }
  return previous !== 46 && previous !== 45;
}

const prefixLength = 5;
const longestRef = 5 + 70 + 1 + 64 + 1 + 100 + 1 + 10;

/** Decimal digits without a leading zero, 1 to `largestNumber`; null for anything else. */
function parseNumber(digits: string): number | null {
  if (digits.length === 0 || digits.length > 10 || digits.charCodeAt(0) === 48) return null;
  let value = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = digits.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return null;
    value = value * 10 + digit;
  }
  return value <= largestNumber ? value : null;
}

function isPort(text: string): boolean {
  const port = parseNumber(text);
  return port !== null && port <= 65_535;
}

function isNameText(name: string): boolean {
  for (let i = 0; i < name.length; i += 1) if (nameCodes[name.charCodeAt(i)] !== 1) return false;
  return true;
}

function isAlphanumeric(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
}

function endsInGit(name: string): boolean {
  // Compared by hand: lower-casing every name that passes costs more than the rest of the check.
  const end = name.length;
  if (name.charCodeAt(end - 4) !== 46) return false;
  return name.slice(end - 3).toLowerCase() === "git";
}

/**
 * 1 for each character that a name may have. Names are checked for every delivery, and a table is
 * the fastest way.
 */
const nameCodes: Uint8Array = new Uint8Array(128);
for (const each of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
  nameCodes[each.charCodeAt(0)] = 1;

/** The one place where text becomes a `RefText`. */
function brand(text: string): RefText {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place that brands; its callers checked the grammar
  return text as RefText;
}
