import { besideMarkdown, isNothing, notOwnSpans, withLineFeeds } from "./own-words.ts";
import { isLineEnd } from "./words.ts";

/**
 * Stands for each character that was taken out of a line: neither a blank nor part of a word, so
 * that nothing joins over the gap.
 */
export const gap = "\uFFFC";

/**
 * A comment in which only its author's own visible words are left, every character where it was:
 * without code, quotes, links, HTML that hides, what is struck out, other people's mail below the
 * author's, and signatures. What is hidden inside of a line becomes `gap`, a line that is hidden
 * whole becomes blank. Linear in the length. Cheap when there is nothing to hide, but callers that
 * only look for a word do well to search the raw text first.
 */
export function plainText(text: string): string {
  return withoutHidden(text, () => false);
}

/**
 * The same with code inside of a line left in, for whoever reads sentences rather than looks for
 * words to act on: what is named in code is part of the sentence around it. Code that has its line
 * for itself is code as it is in a block.
 */
export function plainSentences(text: string): string {
  return withoutHidden(text, isCodeInSentence);
}

type IsKept = (text: string, start: number, end: number) => boolean;

function withoutHidden(text: string, isKept: IsKept): string {
  const lines = withLineFeeds(text);
  const beside = besideMarkdown(lines);
  if (isNothing(beside) && !mayHide(text)) return text;
  const spans = notOwnSpans(lines, null, beside);
  let plain = "";
  let kept = 0;
  for (let i = 0; i < spans.length; i += 2) {
    const start = spans[i] ?? 0;
    const end = spans[i + 1] ?? 0;
    if (isKept(text, start, end)) continue;
    plain += text.slice(kept, start) + withoutWords(text, start, end);
    kept = end;
  }
  return plain + text.slice(kept);
}

/** Whether a hidden span is one run of code and its line says more; no other span looks so. */
function isCodeInSentence(text: string, start: number, end: number): boolean {
  let marks = 0;
  while (start + marks < end && text.charCodeAt(start + marks) === 96 /* ` */) marks += 1;
  const code = text.slice(start + marks, end - marks);
  if (marks === 0 || end - start <= 2 * marks || /[`\r\n]/u.test(code)) return false;
  return text.endsWith("`".repeat(marks), end) && !isWholeLine(text, start, end);
}

/** As long as what it stands for, with the same ends of lines. */
function withoutWords(text: string, start: number, end: number): string {
  let filled = "";
  for (let at = start; at < end;) {
    let next = at;
    while (next < end && !isLineEnd(text.charCodeAt(next))) next += 1;
    filled += (isWholeLine(text, at, next) ? " " : gap).repeat(next - at);
    at = next;
    while (at < end && isLineEnd(text.charCodeAt(at))) at += 1;
    filled += text.slice(next, at);
  }
  return filled;
}

function isWholeLine(text: string, start: number, end: number): boolean {
  if (start > 0 && !isLineEnd(text.charCodeAt(start - 1))) return false;
  return end === text.length || isLineEnd(text.charCodeAt(end));
}

/**
 * Whether any construct of Markdown that hides could be there at all. Blanks are in every text, so
 * a row of them is searched last.
 */
function mayHide(text: string): boolean {
  return ["`", "<", ">", "[", "~", "|", "$", "\t", "    "].some((sign) => text.includes(sign));
}
