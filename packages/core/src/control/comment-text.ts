import { hiddenSpans } from "./markdown-blocks.ts";
import { isLineEnd } from "./words.ts";

/** Stands where an inline construct was cut out: neither a blank nor part of a word, so that nothing joins over the gap. */
export const gap = "\uFFFC";

/**
 * The plain words of a comment: the text minus fenced, indented and inline code, block quotes, links, HTML comments
 * and tags, and the content of `<pre>`, `<code>` and `<blockquote>` (decisions.md 5, keyword text; P01, P14). Lines
 * stay where they were; a line that is hidden whole becomes empty, a shorter gap becomes `gap`. Linear in the length.
 * Cheap when there is nothing to hide, but callers that only look for a word do well to search the raw text first.
 */
export function plainText(text: string): string {
  if (!mayHide(text)) return text;
  const spans = hiddenSpans(withLineFeeds(text), null);
  if (spans.length === 0) return text;
  let plain = "";
  let kept = 0;
  for (let i = 0; i < spans.length; i += 2) {
    const start = spans[i] ?? 0;
    const end = spans[i + 1] ?? 0;
    plain += text.slice(kept, start);
    if (!coversLines(text, start, end)) plain += gap;
    kept = end;
  }
  return plain + text.slice(kept);
}

/** The plain words where they stand in the text: every character that is hidden becomes `gap`, line ends stay. For those who cut from the text itself. */
export function maskedText(text: string): string {
  if (!mayHide(text)) return text;
  const spans = hiddenSpans(withLineFeeds(text), null);
  let masked = "";
  let kept = 0;
  for (let i = 0; i < spans.length; i += 2) {
    const [start = 0, end = 0] = [spans[i], spans[i + 1]];
    masked += text.slice(kept, start) + text.slice(start, end).replace(/[^\r\n]/g, gap);
    kept = end;
  }
  return masked + text.slice(kept);
}

/** The same, every position where it was, with lines that a carriage return alone ends ended as the scanner knows it (P01). */
export function withLineFeeds(text: string): string {
  return text.includes("\r") ? text.replace(/\r(?!\n)/g, "\n") : text;
}

/** Whether any construct that hides could be there at all. Blanks are in every text, so a row of them is searched last. */
function mayHide(text: string): boolean {
  return text.includes("`") || text.includes("<") || text.includes(">") || text.includes("[") || text.includes("\t") || text.includes("~~~") || text.includes("    ");
}

function coversLines(text: string, start: number, end: number): boolean {
  if (start > 0 && !isLineEnd(text.charCodeAt(start - 1))) return false;
  if (end === text.length) return true;
  return isLineEnd(text.charCodeAt(end));
}
