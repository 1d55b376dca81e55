import { goesOn } from "./attribution.ts";
import { hasAddress, hasClock, hasDate, hasDay, hasMailbox } from "./dates.ts";
import { headerNames } from "./words-by-language.ts";

/** A line of a text: without its end, without emphasis and marks of direction around it. */
export type MailLine = { readonly start: number; readonly words: string };

/**
 * What stands before a head: a title between dashes, a separator, an empty line, or words right
 * above it.
 */
export type HeadBehind = "title" | "separator" | "blank" | "words";

/**
 * Whether lines begin with the head of a quoted mail: `From: …`, `Sent: …`, `To: …`, `Subject: …`
 * in whatever language. It has three or more lines of the form `Name: value`, and an address or a
 * date among them; its names are known ones, or it looks the part without them: whose mail it is
 * comes first, in brackets, or it says in its second line when it was sent, to the minute. Behind a
 * separator less is enough. Lists such as `Status: done`, what goes from here to there on some
 * date, and trailers of commits are none.
 */
export function isMailHead(lines: Iterable<MailLine>, behind: HeadBehind): boolean {
  const flags = { subject: false, sender: false, sent: false };
  const found: Found = { headers: 0, known: 0, addresses: 0, dates: 0, ...flags };
  const names = new Set<string>();
  let [wrapped, blanks, last] = [false, 0, ""];
  for (const { words } of lines) {
    if (isTableRule(words)) continue;
    const isWrapped = last !== "" && words !== "" && goesOn(last, words);
    last = words;
    const name = headerName(words);
    const isKnown = found.known > 0 && found.known === found.headers;
    if (words === "" && isKnown && blanks === 0) blanks = 1;
    else if (name === null) {
      // A long list of people goes on on the next line.
      if (blanks > 0 || found.headers === 0) break;
      if (!isWrapped && (wrapped || (!hasAddress(words) && !words.includes(";")))) break;
      wrapped = true;
      if (found.headers === 1 && hasMailbox(words)) found.sender = true;
    } else {
      // Paragraphs of their own are lines of a head only where their names are known.
      if (names.has(name) || (blanks > 0 && !headerNames.has(name))) break;
      names.add(name);
      [wrapped, blanks] = [false, 0];
      add(found, name, words);
    }
  }
  return isProof(found, behind);
}

type Found = {
  headers: number;
  known: number;
  addresses: number;
  dates: number;
  subject: boolean;
  /** The first line names a mailbox. */
  sender: boolean;
  /** The second line names a day and a time. */
  sent: boolean;
};

function add(found: Found, name: string, words: string): void {
  found.headers += 1;
  if (headerNames.has(name)) found.known += 1;
  if (hasAddress(words)) found.addresses += 1;
  if (hasDate(words)) found.dates += 1;
  if (isSubject(words)) found.subject = true;
  if (found.headers === 1 && hasMailbox(words)) found.sender = true;
  if (found.headers === 2 && hasDay(words) && hasClock(words)) found.sent = true;
}

function isProof(found: Found, behind: HeadBehind): boolean {
  const { headers, known, addresses, dates, subject, sender, sent } = found;
  const proof = addresses + dates > 0;
  const separated = behind === "separator" || behind === "title";
  if (behind === "title" && (sender || (known >= 1 && addresses > 0))) return true;
  if (separated && headers >= 2 && proof && (known >= 1 || sender || sent)) return true;
  if (separated && headers >= 3 && (addresses > 0 || known >= 3)) return true;
  if (headers < 3 || !proof) return false;
  if (known >= 4 || (known >= 3 && addresses > 0)) return true;
  if (sender && dates > 0) return true;
  if (behind === "words") return false;
  return (
    (headers >= 4 && (sender || sent)) ||
    (headers >= 4 && addresses >= 2 && dates > 0) ||
    (addresses > 0 && dates > 0 && subject)
  );
}

/**
 * Whether a line holds a whole head, as it is left where a client took out the ends of its lines.
 */
export function isHeadInLine(words: string): boolean {
  if (!hasAddress(words)) return false;
  let known = 0;
  for (const [, name = ""] of words.matchAll(/(?:^|[\s*_])(\p{L}{1,20}) ?[*_]{0,3}[:：]/gu)) {
    if (headerNames.has(name.toLowerCase())) known += 1;
  }
  return known >= 3;
}

/** Whether a line is one `Name: value` of a mail and says who wrote it, in whatever language. */
export function namesMailbox(words: string): boolean {
  return hasMailbox(words) && headerName(words) !== null;
}

/**
 * The name in `Name: value`, or in a row of a table with the two; in lower case; null where the
 * line has another form.
 */
function headerName(words: string): string | null {
  if (words.startsWith("|")) return nameInRow(words);
  const isItem = /^[-+•] /u.test(words);
  const colon = words.slice(0, longestName + 4).search(/[:：]/u);
  if (colon < 1) return null;
  const next = words.charCodeAt(colon + 1);
  const name = words
    .slice(isItem ? 2 : 0, colon)
    .replace(/[*_]{1,3}/gu, "")
    .trim()
    .toLowerCase();
  if (!/^\p{L}[\p{L}\p{M}' .’-]{0,40}$/u.test(name)) return null;
  const isAscii = words.charCodeAt(colon) === 58 && next > 32 && next < 128;
  const isTight = isAscii && next !== 42 && next !== 95;
  if ((isItem || isTight) && !headerNames.has(name)) return null;
  // A trailer of a commit also names a mailbox.
  return name.endsWith("-by") ? null : name;
}

const longestName = 40;

/** Some clients make a table of the head. Its names are known ones: people make tables as well. */
function nameInRow(words: string): string | null {
  const [, cell] = /^\|([^|]{1,60})\|[^|]{1,300}\|?$/u.exec(words) ?? [];
  const lower = cell
    ?.replaceAll(/[*_:：]{1,9}/gu, "")
    .trim()
    .toLowerCase();
  return lower !== undefined && headerNames.has(lower) ? lower : null;
}

function isTableRule(words: string): boolean {
  return words.startsWith("|") && /^\|[ :|-]{1,100}$/u.test(words);
}

/** The subject of a mail that answers or hands on another, or of one of the code host's. */
function isSubject(words: string): boolean {
  return /[:：][*_]{0,2} {0,2}(?:(?:re|aw|wg|fw|fwd|tr|rv|sv|vs|vb|odp|ynt|回复|答复|转发)[:：]|\[[\w.-]{1,100}\/[\w.-]{1,100}\])/iu.test(
    words,
  );
}
