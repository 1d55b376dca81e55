import { hasAddress, hasDate, hasMailbox, hasNamedDay } from "./dates.ts";
import {
  firstSign,
  type Line,
  lineEnd,
  type LinesBefore,
  longestLine,
  quotesBelow,
  wordsOf,
} from "./lines.ts";
import { aboveMail, type MailMark, toTheEnd } from "./mark.ts";
import { verbsBeforeNames, wroteBeginnings, wroteWords } from "./words-by-language.ts";

/**
 * `On … wrote:`, of which everything is the client's, the name in it as well: anybody may call
 * themselves `loop stop`. Clients wrap it, between two words or behind a long name.
 */
export function attribution(text: string, line: Line, lines: LinesBefore): readonly MailMark[] {
  const { above } = lines;
  if (!hasHint(text, above[0]?.start ?? line.start, line.end, lines)) return [];
  lines.looks += 1;
  const last = wordsOf(text, { ...line, first: Math.max(line.first, line.end - longestLine) });
  const rows = [...above.map((each) => wordsOf(text, each)), last];
  let from = rows.length - 1;
  let words = last;
  while (!isAttribution(words) && from > 0 && isWrapped(rows, from - 1)) {
    from -= 1;
    words = `${rows[from] ?? ""} ${words}`;
  }
  const isWhole = isAttribution(words);
  const isMarked = quotesBelow(text, line.end);
  if (!isWhole) {
    if (!isMarked || last.startsWith(">") || !namesWriter(last)) return [];
    from = rows.length - 1;
  }
  while (from > 0 && goesOn(rows[from - 1] ?? "", rows[from] ?? "")) from -= 1;
  const { start } = above[from] ?? line;
  if (!isWhole) {
    // Who only names a writer quotes somebody, and goes on below.
    lines.ownFrom = Math.min(lines.ownFrom, start);
    return [{ start, end: line.end, surely: false }];
  }
  const found = isMarked ? aboveMail(text, line, start, lines) : toTheEnd(start);
  // Some clients indent the line, which Markdown takes for code; then lines below tell whether it is.
  const isIndented = found.end === null && line.first - line.start >= 4;
  return isIndented ? [found, toTheEnd(behindQuotes(text, line.end))] : [found];
}

/** Whether a row may go on in the next one: any of the last three, of more only those that look so. */
function isWrapped(rows: readonly string[], row: number): boolean {
  const next = rows[row + 1] ?? "";
  const mayBegin = next.startsWith(">") || isListed(next);
  return (row >= rows.length - 3 && !mayBegin) || goesOn(rows[row] ?? "", next);
}

/**
 * Whether a client would have wrapped a line between these two: the next word had no place in the
 * first, or that says when it was or whose address it is, as the beginning of the line does.
 */
export function goesOn(words: string, next: string): boolean {
  const isFull = words.length + 1 + (next.split(" ", 1)[0] ?? "").length > 60;
  return isFull || words.endsWith("<") || hasDate(words) || hasMailbox(words);
}

/** The first line below that has words and is not marked with `>`. */
function behindQuotes(text: string, from: number): number {
  let start = from + 1;
  for (let n = 0; n < mostQuoted && start < text.length; n += 1) {
    const end = lineEnd(text, start);
    const first = firstSign(text, start, end);
    if (first < end && text.charCodeAt(first) !== 62) break;
    start = end + 1;
  }
  return start;
}

const mostQuoted = 400;

/** Whether a line above marked lines says who wrote them, though not when: `Ada wrote:`. */
function namesWriter(words: string): boolean {
  const lower = words.toLowerCase();
  return wroteAtEnd.test(lower) || hasMailbox(lower) || (hasDate(lower) && wrote.test(lower));
}

/** Whether a word for writing, or an address, stands on the lines; searched once in all. */
function hasHint(text: string, start: number, end: number, lines: LinesBefore): boolean {
  if (lines.hintAt !== -1 && lines.hintAt < start) {
    hint.lastIndex = start;
    lines.hintAt = hint.exec(text)?.index ?? -1;
  }
  return lines.hintAt !== -1 && lines.hintAt < end;
}

const wrote = new RegExp(wroteWords.join("|"), "iu");
const wroteAtEnd = new RegExp(`(?:${wroteWords.join("|")})\\p{L}{0,2}[^\\p{L}\\p{N}]{0,8}$`, "iu");
const wroteBehindMailbox = new RegExp(
  `[>)\\]][*_]{0,3} (?:${wroteWords.join("|")})[^\\p{L}\\p{N}]{0,8}$`,
  "iu",
);
const hint = new RegExp(`[<@]|${wroteWords.join("|")}`, "giu");

/**
 * Whether a line says who wrote what follows, and when or from which address. "On Monday I wrote
 * this test:" does not, nor does "On startup the service wrote:".
 */
function isAttribution(line: string): boolean {
  const lower = line.toLowerCase().replace(/^[*_]{1,3}/u, "");
  if (lower.startsWith(">")) return false;
  const isDated = hasDate(lower);
  if (isListed(line))
    return hasMailbox(lower) && (isDated ? wrote : wroteBehindMailbox).test(lower);
  if (isDated && hasMailbox(lower)) return true;
  if (!wrote.test(lower)) return false;
  const begins = wroteBeginnings.some((beginning) => lower.startsWith(beginning));
  if (isDated && (begins || /^\p{Nd}/u.test(lower))) return true;
  if (!isDated && !hasAddress(lower) && !hasNamedDay(lower)) return false;
  return (
    wroteAtEnd.test(lower) || (begins && verbsBeforeNames.some((verb) => lower.includes(verb)))
  );
}

/**
 * Whether a line begins as a bullet, a heading or a row of a table does. People write when and whom
 * to mail in such, so of a client's only one that says who wrote is known: a name may begin so, too.
 */
function isListed(line: string): boolean {
  if (/^(?:[-+#|]|\* )/u.test(line)) return true;
  return /^\p{Nd}{1,9}[.)] (?!\p{Nd})/u.test(line) && !hasNamedDay(line.slice(0, 20).toLowerCase());
}
