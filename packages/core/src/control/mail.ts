import { hasAddress, hasDate, hasMailbox, hasNamedDay } from "./mail-dates.ts";
import { isHeadInLine, isMailHead, type MailLine, namesMailbox } from "./mail-headers.ts";
import { clientSignatures, devices, hostFooters } from "./mail-signatures.ts";
import {
  forwardedLines,
  senderNames,
  separatorPhrases,
  verbsBeforeNames,
  wroteBeginnings,
  wroteWords,
} from "./mail-words.ts";

/**
 * Where another mail, or a signature, may begin, to the end of the text. It counts only if no code
 * and no quote stands there, which `surely` knows.
 */
export type MailMark = { readonly start: number; readonly surely: boolean };

/**
 * Places before `until` from which on a text that came by mail is no longer its author's: a
 * separator and the head of the mail that is answered, `On … wrote:` where no line with `>` follows
 * (else those alone are quoted, and who answers below them is heard), a signature, what a client or
 * the code host adds. Known by form where that is possible, and by words of many languages else.
 */
export function mailMarks(text: string, until: number): readonly MailMark[] {
  const marks: MailMark[] = [];
  const lines: LinesBefore = { last: blank, beforeLast: blank, hintAt: -2, looks: 0 };
  for (let start = 0; start < until;) {
    const end = lineEnd(text, start);
    const line: Line = { start, end, first: firstSign(text, start, end) };
    const begins = line.first === end ? null : startOfMail(text, line, lines);
    // So many marks stand in no text that people write; whatever it is, the rest is not looked at.
    const surely = marks.length === mostMarks || lines.looks > mostLooks;
    if (begins !== null || surely) marks.push({ start: begins ?? start, surely });
    if (surely) break;
    lines.beforeLast = lines.last;
    lines.last = line;
    start = end + 1;
  }
  return marks;
}

const mostMarks = 50;
const mostLooks = 500;

/** Bounds of a line, and its first character that is no blank: its end where it has none. */
type Line = { readonly start: number; readonly end: number; readonly first: number };
/**
 * `hintAt`: the next place that hints at who wrote something, as far as it was searched; `looks`:
 * how often that was looked into.
 */
type LinesBefore = { last: Line; beforeLast: Line; hintAt: number; looks: number };

const blank: Line = { start: 0, end: 0, first: 0 };
/** Of a longer line only so much is looked at. */
const longestLine = 400;

function lineEnd(text: string, start: number): number {
  const newline = text.indexOf("\n", start);
  return newline === -1 ? text.length : newline;
}

function firstSign(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && text.charCodeAt(at) <= 32) at += 1;
  return at;
}

/**
 * Where another mail, or a signature, begins by what this line says; null where it says nothing of
 * that kind.
 */
function startOfMail(text: string, line: Line, lines: LinesBefore): number | null {
  const { start, end, first } = line;
  const code = text.charCodeAt(first);
  if (isRuleSign(code)) {
    const words = wordsOf(text, line);
    if (words === "--" || titleOf(words) !== null) lines.looks += 1;
    if (isSignature(text, line, words, isBlank(lines.last))) return start;
    if (isPhrase(words)) return quotesBelow(text, end) ? null : start;
    const isTitle = titleOf(words) !== null;
    const separated = isTitle || isSeparator(words) ? headBelow(text, end, isTitle) : null;
    if (separated !== null) return separated;
  }
  if (isFooter(text, line)) return isForward(text, line) && quotesBelow(text, end) ? null : start;
  if (hasColonAhead(text, first, end)) {
    const isApart = isBlank(lines.last) || isRule(text, lines.last);
    const isSender = isSenderLine(text, first);
    if (isSender) lines.looks += 1;
    const begins = isApart || isSender || namesMailbox(wordsOf(text, line));
    if (begins && isMailHead(linesFrom(text, start), isApart ? "blank" : "words")) return start;
    if (isSender && isHeadInLine(wordsOf(text, line))) return start;
  }
  return endsInColon(text, line) ? startOfAttribution(text, line, lines) : null;
}

function isBlank({ first, end }: Line): boolean {
  return first === end;
}

/** What lines are drawn with. */
const drawn = "-_*=~+#‐‑‒–—―─━－＿＝";

function isRuleSign(code: number): boolean {
  return drawn.includes(String.fromCharCode(code));
}

function wordsOf(text: string, { first, end }: Line): string {
  return text
    .slice(first, Math.min(end, first + longestLine))
    .replaceAll(marksOfDirection, "")
    .trim();
}

const marksOfDirection = /[\u200e\u200f\u202a-\u202c\u2066-\u2069\ufeff]/gu;

/** Whether the line stands above a mail that is handed on, and not below what its author wrote. */
function isForward(text: string, line: Line): boolean {
  const first = behindEmphasis(text, line.first);
  const words = wordsOf(text, { ...line, first }).toLowerCase();
  return forwardedLines.some((known) => words.startsWith(known));
}

function isFooter(text: string, line: Line): boolean {
  const { end } = line;
  const first = behindEmphasis(text, line.first);
  footer.lastIndex = first;
  if (!footer.test(text) || end - first > longestFooter) return false;
  const words = text.slice(first, end).toLowerCase();
  if ([...hostFooters, ...forwardedLines].some((known) => words.startsWith(known))) return true;
  // A sentence that only begins so is the author's own.
  return devices.some((device) => words.includes(device)) && !/[.!?][ )]\p{L}/u.test(words);
}

const footer = new RegExp(
  `(?:${[...clientSignatures, ...hostFooters, ...forwardedLines].map((words) => words.replace(/[.*+?^$()[\]{}|\\]/gu, "\\$&")).join("|")})`,
  "iuy",
);
const longestFooter = 200;

function behindEmphasis(text: string, first: number): number {
  let at = first;
  while (at < first + 3 && "*_".includes(text.charAt(at) || " ")) at += 1;
  return at;
}

/**
 * `-- ` alone on its line; a client may have cut off the blank, then little follows and no heading
 * is above.
 */
function isSignature(text: string, { start, end }: Line, words: string, isApart: boolean): boolean {
  if (words !== "--") return false;
  if (text.startsWith("-- ", start) && end - start <= 4) return true;
  let lines = 0;
  for (const line of isApart ? linesFrom(text, end + 1) : []) if (line.words !== "") lines += 1;
  return isApart && lines <= mostSigned;
}

const mostSigned = 6;

/** `-----Original Message-----` in one of many languages. */
function isPhrase(words: string): boolean {
  const phrase = titleOf(words)?.toLowerCase() ?? null;
  if (phrase === null) return false;
  return isTight(bare(words)) || separatorPhrases.some((known) => phrase.startsWith(known));
}

/** Outlook's form in any language: words right between five dashes each. People write blanks. */
function isTight(words: string): boolean {
  return /^-{5}[^-\s](?:[^-]{0,60}[^-\s])?-{5}$/u.test(words);
}

function bare(emphasized: string): string {
  return emphasized.replaceAll(/^[*]{1,3}|[*]{1,3}$/gu, "");
}

/**
 * What stands between two or more dashes and two or more dashes; null where the line is no such
 * title.
 */
function titleOf(emphasized: string): string | null {
  const words = bare(emphasized);
  if (words.length > 120 || !drawnAround.test(words)) return null;
  const title = words.replaceAll(drawnRuns, "").trim();
  return title === "" ? null : title;
}

/**
 * A line of dashes, underscores or the like, longer than people type it to part what they write.
 */
function isSeparator(words: string): boolean {
  return /^(?:[-–]{10,400}|[_＿]{10,400}|[=＝]{10,400}|[─━－]{6,400}|—{3,400})$/u.test(words);
}

function isRule(text: string, line: Line): boolean {
  return isRuleSign(text.charCodeAt(line.first)) && drawnLine.test(wordsOf(text, line));
}

/** A separator begins a quoted mail only where that mail's head follows. */
function headBelow(text: string, end: number, isTitle: boolean): number | null {
  const first = firstSign(text, end, Math.min(text.length, end + longestGap));
  const start = text.lastIndexOf("\n", first) + 1;
  const behind = isTitle ? "title" : "separator";
  return isMailHead(linesFrom(text, start), behind) ? start : null;
}

const longestGap = 8;

/** Whether a head's first line may begin here: `From:`. */
function isSenderLine(text: string, first: number): boolean {
  sender.lastIndex = first;
  return sender.test(text);
}

const sender = new RegExp(`[*_]{0,3}(?:${senderNames.join("|")}) {0,2}[:：*_]`, "iuy");

function hasColonAhead(text: string, first: number, end: number): boolean {
  for (let at = first; at < end && at < first + longestName; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 58 || code === 0xff1a) return true;
  }
  return false;
}

const longestName = 44;

/** The next lines, as many as a head has. */
function* linesFrom(text: string, from: number): Generator<MailLine> {
  let start = from;
  for (let n = 0; n < mostHeaders && start < text.length; n += 1) {
    const end = lineEnd(text, start);
    yield { start, words: wordsOf(text, { start, end, first: firstSign(text, start, end) }) };
    start = end + 1;
  }
}

const mostHeaders = 14;

function endsInColon(text: string, { first, end }: Line): boolean {
  for (let at = end - 1; at >= first && at > end - 8; at -= 1) {
    const code = text.charCodeAt(at);
    if (code === 58 || code === 0xff1a) return true;
    // Blanks, emphasis and marks of direction may follow.
    if (code > 32 && code !== 42 && code !== 95 && (code < 0x200e || code > 0x2069)) return false;
  }
  return false;
}

/**
 * Where `On … wrote:` begins, which clients wrap over up to three lines; null where it is none, or
 * where what follows is marked with `>`.
 */
function startOfAttribution(text: string, line: Line, lines: LinesBefore): number | null {
  const { last, beforeLast } = lines;
  if (!hasHint(text, last.start, line.end, lines)) return null;
  lines.looks += 1;
  const words = wordsOf(text, { ...line, first: Math.max(line.first, line.end - longestLine) });
  const two = isBlank(last) ? "" : `${wordsOf(text, last)} ${words}`;
  const three = two === "" || isBlank(beforeLast) ? "" : `${wordsOf(text, beforeLast)} ${two}`;
  const start = isAttribution(words)
    ? line.start
    : isAttribution(two)
      ? last.start
      : isAttribution(three)
        ? beforeLast.start
        : null;
  if (start === null || quotesBelow(text, line.end)) return null;
  // Some clients indent the line, which Markdown takes for code; then the lines below tell whether
  // it is.
  return line.first - line.start < 4
    ? start
    : text.lastIndexOf("\n", firstSign(text, line.end, text.length) - 1) + 1;
}

/** Whether a word for writing, or an address, stands on the lines; searched once in all. */
function hasHint(text: string, start: number, end: number, lines: LinesBefore): boolean {
  if (lines.hintAt !== -1 && lines.hintAt < start) {
    hint.lastIndex = start;
    lines.hintAt = hint.exec(text)?.index ?? -1;
  }
  return lines.hintAt !== -1 && lines.hintAt < end;
}

const drawnSign = `[${drawn.replace("-", "\\-")}]`;
const drawnRuns = new RegExp(`${drawnSign}{2,120}`, "gu");
const drawnLine = new RegExp(`^${drawnSign}{2,400}$`, "u");
const drawnAround = new RegExp(`^${drawnSign}{2}.*${drawnSign}{2}$`, "u");

const wrote = new RegExp(wroteWords.join("|"), "iu");
const wroteAtEnd = new RegExp(`(?:${wroteWords.join("|")})\\p{L}{0,2}[^\\p{L}\\p{N}]{0,8}$`, "iu");
const hint = new RegExp(`[<@]|${wroteWords.join("|")}`, "giu");

/**
 * Whether a line says who wrote what follows, and when or from which address. "On Monday I wrote
 * this test:" does not, nor does "On startup the service wrote:".
 */
function isAttribution(line: string): boolean {
  const lower = line.toLowerCase().replace(/^[*_]{1,3}/u, "");
  // A bullet, a heading or a quote is none.
  if (/^(?:[-+>#|]|\* |\p{Nd}{1,9}[.)] )/u.test(lower)) return false;
  const isDated = hasDate(lower);
  if (isDated && hasMailbox(lower)) return true;
  if (!wrote.test(lower)) return false;
  const begins = wroteBeginnings.some((beginning) => lower.startsWith(beginning));
  if (isDated && (begins || /^\p{Nd}/u.test(lower))) return true;
  if (!isDated && !hasAddress(lower) && !hasNamedDay(lower)) return false;
  return (
    wroteAtEnd.test(lower) || (begins && verbsBeforeNames.some((verb) => lower.includes(verb)))
  );
}

/** Whether the next line with a word on it is marked as quoted. */
function quotesBelow(text: string, end: number): boolean {
  const at = firstSign(text, end, text.length);
  return text.charCodeAt(at) === 62 || text.startsWith("<blockquote", at);
}
