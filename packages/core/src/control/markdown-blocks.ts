import { hasTag, isRawHtml, skipRawHtml } from "./markdown-html.ts";
import { scanInline } from "./markdown-inline.ts";
import { closesFence, enterItem, isFence, isHeading, isThematicBreak, isUnderline, type Line, listMarker, openLine, passQuoteMark, runLength } from "./markdown-line.ts";
import { beginScan, type BlockScan, deepest, quote } from "./markdown-scan.ts";
import { endInline, hideSpan, shorten } from "./markdown-spans.ts";
import type { Scannable } from "./scannable.ts";

/**
 * Spans of a Markdown text that are not its author's own plain words: fenced, indented and inline code, block quotes
 * (with their lazy continuations), links, HTML comments and tags, and what stands inside of `<pre>`, `<code>` and
 * `<blockquote>` (decisions.md 5, keyword text). A flat list `[start, end, start, end, …]`, ascending and disjoint.
 *
 * One pass over the lines with a stack of open containers, as in CommonMark; every character is read a bounded number
 * of times, whatever the text is (P14). With `wanted` (ascending positions) paragraphs are looked into only where one
 * of them, or HTML, stands: the result is exact at those positions and the scan ends behind the last one.
 */
export function hiddenSpans(text: Scannable, wanted: readonly number[] | null): readonly number[] {
  const scan = beginScan(text, wanted);
  const last = wanted === null ? text.length : (wanted[wanted.length - 1] ?? -1) + 1;
  let at = 0;
  // A paragraph that holds a wanted position is read to its end: what hides it may close on a later line.
  while (at < last || (scan.run !== -1 && at < text.length)) {
    const newline = text.indexOf("\n", at);
    const end = newline === -1 ? text.length : newline;
    at = isMereText(scan, at) ? passWords(scan, at, at, end) : scanLine(scan, at, end);
  }
  closeRun(scan);
  return endInline(scan.inline, text.length);
}

/** Outside of all containers and fences, a line that begins with a letter can be nothing but words: most lines are that. */
function isMereText(scan: BlockScan, at: number): boolean {
  if (scan.stack.length > 0 || scan.leaf === "fence") return false;
  const lower = scan.text.charCodeAt(at) | 32;
  return lower >= 97 && lower <= 122;
}

/** Reads one line and returns where the next one begins. */
function scanLine(scan: BlockScan, start: number, end: number): number {
  const line = openLine(scan.text, start, end);
  const matched = matchContainers(scan, line);
  const { emptyItem } = scan;
  scan.emptyItem = false;
  if (scan.leaf === "fence" && matched === scan.stack.length) {
    if (closesFence(scan.text, line, scan.fence, scan.fenceLength)) scan.leaf = "none";
    return hide(scan, start, end);
  }
  if (line.at === line.end) {
    // An item may begin with one empty line and not with two.
    if (emptyItem) scan.stack.pop();
    return passBlank(scan, matched, start, end);
  }
  const open = openContainers(scan, line, matched);
  if (open === -1) return hide(scan, start, end);
  return passLeaf(scan, line, open, start, end);
}

/** How many of the open containers the line goes on with. */
function matchContainers(scan: BlockScan, line: Line): number {
  const { text, stack } = scan;
  let matched = 0;
  for (; matched < stack.length; matched += 1) {
    const container = stack[matched] ?? 0;
    const indent = line.column - line.consumed;
    if (container === quote) {
      if (indent > 3 || text.charCodeAt(line.at) !== 62) break;
      passQuoteMark(text, line);
    } else if (line.at !== line.end) {
      if (indent < container) break;
      line.consumed += container;
    }
  }
  return matched;
}

/** A blank line ends the paragraph, and every quote that it does not go on with. */
function passBlank(scan: BlockScan, matched: number, start: number, end: number): number {
  closeRun(scan);
  const firstQuote = scan.stack.indexOf(quote);
  if (firstQuote >= 0 && matched <= firstQuote) shorten(scan.stack, firstQuote);
  return hide(scan, start, end);
}

/** Enters quotes and list items that begin on the line. Returns how many containers hold the rest, -1 when nothing is left. */
function openContainers(scan: BlockScan, line: Line, matched: number): number {
  const { text } = scan;
  let open = matched;
  while (line.column - line.consumed < 4) {
    const code = text.charCodeAt(line.at);
    if (code === 62 /* > */) {
      enter(scan, open, quote);
      passQuoteMark(text, line);
    } else {
      if (isThematicBreak(text, line, code)) break;
      // What the line does not go on with cannot be interrupted: there any number begins a list.
      const width = listMarker(text, line, code, scan.leaf === "paragraph" && open === scan.stack.length);
      if (width === 0) break;
      enter(scan, open, 0);
      scan.stack[open] = enterItem(text, line, width);
    }
    open += 1;
    if (line.at === line.end) {
      if (scan.stack[open - 1] !== quote) scan.emptyItem = true;
      return -1;
    }
    if (open > deepest) {
      enter(scan, open, quote);
      scan.leaf = "paragraph";
      return -1;
    }
  }
  return open;
}

/** What stands on the line behind its containers: code, a heading, a break, or words. */
function passLeaf(scan: BlockScan, line: Line, open: number, start: number, end: number): number {
  const { text } = scan;
  const code = text.charCodeAt(line.at);
  if (line.column - line.consumed >= 4) {
    if (scan.leaf === "paragraph") return passWords(scan, line.at, start, end);
    closeTo(scan, open);
    return hide(scan, start, end);
  }
  if (isFence(text, line, code)) {
    closeTo(scan, open);
    scan.leaf = "fence";
    scan.fence = code;
    scan.fenceLength = runLength(text, line.at, line.end, code);
    return hide(scan, start, end);
  }
  const underline = scan.leaf === "paragraph" && open === scan.stack.length && isUnderline(text, line, code);
  if (underline || isThematicBreak(text, line, code)) {
    closeTo(scan, open);
    return hide(scan, start, end);
  }
  const heading = code === 35 && isHeading(text, line);
  const raw = code === 60 && isRawHtml(text, line.at);
  // Words that follow on a paragraph belong to its containers even where the line does not repeat them.
  if (heading || raw || scan.leaf !== "paragraph") closeTo(scan, open);
  const next = raw && !scan.stack.includes(quote) ? passRawHtml(scan, line.at, end) : passWords(scan, line.at, start, end);
  if (heading || raw) closeRun(scan);
  return next;
}

/** Words are hidden inside of a quote; else they join the paragraph. */
function passWords(scan: BlockScan, at: number, start: number, end: number): number {
  scan.leaf = "paragraph";
  if (scan.stack.includes(quote)) return hide(scan, start, end);
  if (scan.run === -1) scan.run = at;
  scan.runEnd = end;
  return end + 1;
}

/** A comment or raw element may reach over many lines; what follows it on its last line are words. */
function passRawHtml(scan: BlockScan, at: number, end: number): number {
  const behind = skipRawHtml(scan.inline, scan.text, at);
  const newline = behind <= end ? end : scan.text.indexOf("\n", behind);
  return passWords(scan, behind, behind, newline === -1 ? scan.text.length : newline);
}

/** Ends the paragraph or fence, and looks into the paragraph where that can matter. */
function closeRun(scan: BlockScan): void {
  const { run, runEnd, wanted, inline, text } = scan;
  scan.leaf = "none";
  scan.run = -1;
  if (run === -1) return;
  if (wanted !== null && !hasTag(inline, text, run, runEnd)) {
    while (scan.next < wanted.length && (wanted[scan.next] ?? 0) < run) scan.next += 1;
    if (scan.next === wanted.length || (wanted[scan.next] ?? 0) >= runEnd) return;
  }
  scanInline(inline, text, run, runEnd);
}

/** Closes the containers behind the first `open` ones, with the paragraph or fence inside of them. */
function closeTo(scan: BlockScan, open: number): void {
  closeRun(scan);
  shorten(scan.stack, open);
}

function enter(scan: BlockScan, open: number, container: number): void {
  closeTo(scan, open);
  scan.stack.push(container);
}

function hide(scan: BlockScan, start: number, end: number): number {
  hideSpan(scan.inline, start, end);
  return end + 1;
}
