import { attribution, goesOn } from "./attribution.ts";
import { isHeadInLine, isMailHead, namesMailbox } from "./headers.ts";
import {
  endsInColon,
  firstSign,
  isRuleSign,
  type Line,
  lineEnd,
  type LinesBefore,
  linesFrom,
  wordsOf,
  withPlainBlanks,
} from "./lines.ts";
import { aboveMail, type MailMark, toTheEnd } from "./mark.ts";
import { clientSignatures, devices, hostFooters } from "./signatures.ts";
import { headBelow, isPhrase, isRule, isSeparator, titleInLine, titleOf } from "./titles.ts";
import { forwardedLines, senderNames } from "./words-by-language.ts";

/**
 * What mail clients and the code host write into a text that came by mail: a separator and the head of the mail that is answered, `On … wrote:`, a signature, what a client or the host
 * adds. All behind it is another mail. Where lines with `>` follow `On … wrote:` and the author wrote nothing
 * above, only that line and those are, so that who answers below is heard. Known by form where that
 * is possible, and by words of many languages else.
 */
export function mailMarks(original: string): readonly MailMark[] {
  const text = withPlainBlanks(original);
  const marks: MailMark[] = [];
  const lines: LinesBefore = { above: [], ownFrom: text.length, hintAt: -2, looks: 0 };
  for (let start = 0; start < text.length;) {
    const end = lineEnd(text, start);
    const line: Line = { start, end, first: firstSign(text, start, end) };
    const found = line.first === end ? [] : startOfMail(text, line, lines);
    // So many marks stand in no text that people write; whatever it is, the rest is not looked at.
    const surely = marks.length >= mostMarks || lines.looks > mostLooks;
    if (surely) {
      marks.push({ start: found[0]?.start ?? start, end: null, surely });
      break;
    }
    marks.push(...found);
    if (found.some((mark) => mark.end !== null)) lines.above.length = 0;
    else pass(text, line, lines);
    start = end + 1;
  }
  return marks;
}

const mostMarks = 50;
const mostLooks = 500;

/** What the line leaves for those below it. */
function pass(text: string, line: Line, lines: LinesBefore): void {
  const words = wordsOf(text, line);
  const above = lines.above.at(-1);
  // A name may be wrapped so that a line of it begins as a quoted one does.
  const isQuoted =
    words.startsWith(">") && (above === undefined || !goesOn(wordsOf(text, above), words));
  if (words === "" || isQuoted) {
    lines.above.length = 0;
    return;
  }
  lines.above.push(line);
  if (lines.above.length > mostWrapped) lines.above.shift();
  lines.ownFrom = Math.min(lines.ownFrom, line.start);
}

/** The longest name of an account, wrapped. */
const mostWrapped = 8;

/**
 * What a client or the host wrote, by what this line says.
 */
function startOfMail(text: string, line: Line, lines: LinesBefore): readonly MailMark[] {
  const { start, end, first } = line;
  const code = text.charCodeAt(first);
  const above = lines.above.at(-1);
  if (isRuleSign(code)) {
    const words = wordsOf(text, line);
    if (words === "--" || titleOf(words) !== null) lines.looks += 1;
    if (isSignature(text, line, words, above === undefined)) return [toTheEnd(start)];
    if (isPhrase(words)) return [aboveMail(text, line, start, lines)];
    const isTitle = titleOf(words) !== null;
    const separated = isTitle || isSeparator(words) ? headBelow(text, end, isTitle) : null;
    if (separated !== null) return [toTheEnd(separated)];
  }
  const glued = titleInLine(text, line);
  if (glued !== null) return [toTheEnd(glued)];
  if (isForward(text, line)) return [aboveMail(text, line, start, lines)];
  if (isFooter(text, line)) return [toTheEnd(start)];
  if (hasColonAhead(text, first, end)) {
    const isApart = above === undefined || isRule(text, above);
    const isSender = isSenderLine(text, first);
    if (isSender) lines.looks += 1;
    const begins = isApart || isSender || namesMailbox(wordsOf(text, line));
    const behind = isApart ? "blank" : "words";
    if (begins && isMailHead(linesFrom(text, start), behind)) return [toTheEnd(start)];
    if (isSender && isHeadInLine(wordsOf(text, line))) return [toTheEnd(start)];
  }
  return endsInColon(text, line) ? attribution(text, line, lines) : [];
}

/** Whether the line stands above a mail that is handed on. */
function isForward(text: string, line: Line): boolean {
  const first = behindEmphasis(text, line.first);
  if (line.end - first > longestFooter) return false;
  const words = wordsOf(text, { ...line, first }).toLowerCase();
  const known = forwardedLines.find((each) => words.startsWith(each));
  // A sentence that only begins so is the author's own.
  return known !== undefined && words.length - known.length <= 3;
}

/** Whether a client or the host put the line below what its author wrote. */
function isFooter(text: string, line: Line): boolean {
  const first = behindEmphasis(text, line.first);
  footer.lastIndex = first;
  if (!footer.test(text) || line.end - first > longestFooter) return false;
  const words = wordsOf(text, { ...line, first }).toLowerCase();
  if (hostFooters.some((known) => words.startsWith(known))) return true;
  return devices.some((device) => words.includes(device)) && !isSentence(words);
}

/** Whether a line that begins as a client's does goes on as no client's. */
function isSentence(words: string): boolean {
  return /[.!?,][ )]\p{L}/u.test(words) || words.split(" ").length > mostFooterWords;
}

const mostFooterWords = 12;
const footer = new RegExp(
  `(?:${[...clientSignatures, ...hostFooters].map((words) => words.replace(/[.*+?^$()[\]{}|\\]/gu, "\\$&")).join("|")})`,
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
function isSignature(text: string, { first, end }: Line, words: string, isApart: boolean): boolean {
  if (words !== "--") return false;
  if (text.startsWith("-- ", first)) return true;
  let lines = 0;
  for (const line of isApart ? linesFrom(text, end + 1) : []) if (line.words !== "") lines += 1;
  return isApart && lines <= mostSigned;
}

const mostSigned = 6;

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
