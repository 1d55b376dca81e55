import { headerNames } from "./mail-words.ts";

/** A line of a text: without its end, without emphasis and marks of direction around it. */
export type MailLine = { readonly start: number; readonly words: string };

/**
 * Whether lines begin with the head of a quoted mail: `From: …`, `Sent: …`, `To: …`, `Subject: …` in whatever language. It has three or
 * more lines of the form `Name: value`, and an address or a date among them; its names are known ones, or it looks the part without
 * them. Behind a separator less is enough, and right behind other words more is needed. Lists such as `Status: done`, and what goes
 * from here to there on some date, are none.
 */
export function isMailHead(
  lines: Iterable<MailLine>,
  behind: "separator" | "blank" | "words",
): boolean {
  const found = { headers: 0, known: 0, addresses: 0, dates: 0, subject: false };
  let wrapped = false;
  for (const { words } of lines) {
    const name = headerName(words);
    if (name === null) {
      // A long list of people goes on on the next line.
      if (
        words === "" ||
        wrapped ||
        found.headers === 0 ||
        !(hasAddress(words) || words.includes(";"))
      )
        break;
      wrapped = true;
      continue;
    }
    wrapped = false;
    found.headers += 1;
    if (headerNames.has(name)) found.known += 1;
    if (hasAddress(words)) found.addresses += 1;
    if (hasDate(words)) found.dates += 1;
    if (isSubject(words)) found.subject = true;
  }
  const proof = found.addresses + found.dates > 0;
  if (behind === "separator")
    return (
      (found.headers >= 2 && found.known >= 1 && proof) ||
      (found.headers >= 3 && (found.addresses > 0 || found.known >= 3))
    );
  if (found.headers < 3 || !proof) return false;
  if (found.known >= 4 || (found.known >= 3 && found.addresses > 0)) return true;
  return (
    behind === "blank" &&
    ((found.headers >= 4 && found.addresses >= 2 && found.dates > 0) ||
      (found.addresses > 0 && found.dates > 0 && found.subject))
  );
}

/** The name in `Name: value`, in lower case; null where the line has another form. */
function headerName(words: string): string | null {
  const colon = words.slice(0, longestName + 2).search(/[:：]/u);
  if (colon < 1) return null;
  const next = words.charCodeAt(colon + 1);
  if (words.charCodeAt(colon) === 58 && next > 32 && next < 128 && next !== 42 && next !== 95)
    return null;
  const name = words
    .slice(0, colon)
    .replace(/[*_]{1,3}/gu, "")
    .trim()
    .toLowerCase();
  return /^\p{L}[\p{L}\p{M}' .’-]{0,40}$/u.test(name) ? name : null;
}

const longestName = 40;

/** The subject of a mail that answers or hands on another, or of one of the code host's. */
function isSubject(words: string): boolean {
  return /[:：][*_]{0,2} {0,2}(?:(?:re|aw|wg|fw|fwd|tr|rv|sv|vs|vb|odp|ynt|回复|答复|转发)[:：]|\[[\w.-]{1,100}\/[\w.-]{1,100}\])/iu.test(
    words,
  );
}

/** An address, which the host may have blanked out as `***@***.***`. A mention begins with its `@` and is none. */
export function hasAddress(words: string): boolean {
  return /[^\s<>@(]@[^\s<>@]/u.test(words);
}

/** A time of day, a year, or a date in digits. */
export function hasDate(words: string): boolean {
  return /(?:^|\P{Nd})\p{Nd}{1,2}[:.h]\p{Nd}{2}(?!\p{Nd})|(?:^|\P{Nd})(?:19|20)\p{Nd}{2}(?!\p{Nd})|\p{Nd}{1,4}[./年년-] ?\p{Nd}{1,2}[./月월-]/u.test(
    words,
  );
}
