import { isMailHead } from "./headers.ts";
import {
  drawn,
  firstSign,
  isRuleSign,
  type Line,
  linesFrom,
  longestLine,
  wordsOf,
} from "./lines.ts";
import { separatorPhrases } from "./words-by-language.ts";

/** `-----Original Message-----` in one of many languages. */
export function isPhrase(words: string): boolean {
  const phrase = titleOf(words)?.toLowerCase() ?? null;
  if (phrase === null) return false;
  return isTight(bare(words)) || separatorPhrases.some((known) => phrase.startsWith(known));
}

/**
 * Outlook's form in any language: words right between five dashes each. People write blanks, and
 * keys begin and end so.
 */
function isTight(words: string): boolean {
  return /^-{5}(?!BEGIN |END )[^-\s](?:[^-]{0,60}[^-\s])?-{5}$/u.test(words);
}

/** A title of a client that lost the ends of its lines, with the head right behind or words before. */
export function titleInLine(text: string, { first, end }: Line): number | null {
  const words = text.slice(first, end);
  const dashes = words.indexOf("----");
  if (dashes === -1) return null;
  const found = gluedTitle.exec(words.slice(dashes, dashes + longestLine * 2));
  return found === null ? null : first + dashes + found.index;
}

const gluedTitle = new RegExp(`-{4,20} {0,2}(?:${separatorPhrases.join("|")}) {0,2}-{4,20}`, "iu");

function bare(emphasized: string): string {
  return emphasized.replaceAll(/^[*]{1,3}|[*]{1,3}$/gu, "");
}

/**
 * What stands between two or more dashes and two or more dashes; null where the line is no such
 * title.
 */
export function titleOf(emphasized: string): string | null {
  const words = bare(emphasized);
  if (words.length > 120 || !drawnAround.test(words)) return null;
  const title = words.replaceAll(drawnRuns, "").trim();
  return title === "" ? null : title;
}

/**
 * A line of dashes, underscores or the like, longer than people type it to part what they write.
 */
export function isSeparator(words: string): boolean {
  return /^(?:[-–]{10,400}|[_＿]{10,400}|[=＝]{10,400}|[─━－]{6,400}|—{3,400})$/u.test(words);
}

export function isRule(text: string, line: Line): boolean {
  return isRuleSign(text.charCodeAt(line.first)) && drawnLine.test(wordsOf(text, line));
}

/** A separator begins a quoted mail only where that mail's head follows. */
export function headBelow(text: string, end: number, isTitle: boolean): number | null {
  const first = firstSign(text, end, Math.min(text.length, end + longestGap));
  const start = text.lastIndexOf("\n", first) + 1;
  const behind = isTitle ? "title" : "separator";
  return isMailHead(linesFrom(text, start), behind) ? start : null;
}

const longestGap = 8;

const drawnSign = `[${drawn.replace("-", "\\-")}]`;
const drawnRuns = new RegExp(`${drawnSign}{2,120}`, "gu");
const drawnLine = new RegExp(`^${drawnSign}{2,400}$`, "u");
const drawnAround = new RegExp(`^${drawnSign}{2}.*${drawnSign}{2}$`, "u");
