import { quotations } from "./markdown-elements.ts";
import { htmlBlockKind } from "./markdown-html.ts";
import {
  beginsTable,
  closeRun,
  closeTo,
  enter,
  hide,
  passHtml,
  passRow,
  passWords,
} from "./markdown-leaves.ts";
import {
  closesFence,
  enterItem,
  enterNote,
  isFence,
  isHeading,
  isThematicBreak,
  isUnderline,
  type Line,
  listMarker,
  openLine,
  passQuoteMark,
  runLength,
} from "./markdown-line.ts";
import { labelOf, noteLabelEnd } from "./markdown-link.ts";
import { readPieces } from "./markdown-pieces.ts";
import { beginScan, type BlockScan, deepest, note, quote, quoteLine } from "./markdown-scan.ts";
import { beginInline, endInline, type InlineState, mergeSpans, shorten } from "./markdown-spans.ts";
import type { Scannable } from "./scannable.ts";

/**
 * What hides in a text, and where its lines of code begin, but for the one that opens a fence.
 * `quotes` are spans of what is quoted, by a mark (whole lines) or an element: ascending
 * and disjoint, and exact where no positions were wanted.
 */
export type MarkdownReading = {
  readonly spans: readonly number[];
  readonly codeLines: ReadonlySet<number>;
  readonly quotes: readonly number[];
};

/**
 * Spans of a Markdown text that are not its author's own plain words: fenced, indented and inline
 * code, block quotes (with their lazy continuations), links and their definitions, footnotes, what
 * is struck out, formulas, HTML that a host does not show, and what stands inside of elements for
 * code, quotations and what is taken back. A flat list `[start, end, start, end, …]`, ascending and
 * disjoint. The rules are CommonMark's and GitHub's (ADR 0015); `tooling/evals` holds
 * them to a renderer.
 *
 * One pass over the lines with a stack of open containers, then one over the paragraphs, once it is
 * known which links are defined; every character is read a bounded number of times, whatever the
 * text is. With `wanted` (ascending positions) paragraphs are looked into only where one of them,
 * or HTML, stands: the result is exact at those positions.
 */
export function hiddenSpans(text: Scannable, wanted: readonly number[] | null): readonly number[] {
  return readMarkdown(text, wanted).spans;
}

export function readMarkdown(text: Scannable, wanted: readonly number[] | null): MarkdownReading {
  const scan = beginScan(text);
  const ahead = beginInline(scan.labels, scan.notes);
  // What a link or a footnote is may be defined anywhere.
  const last =
    wanted === null || text.indexOf("]:") !== -1
      ? text.length
      : (wanted[wanted.length - 1] ?? -1) + 1;
  let at = 0;
  // A paragraph that holds a wanted position is read to its end: what hides it may close on a later
  // line.
  while (at < last || (scan.run !== -1 && at < text.length)) {
    const newline = text.indexOf("\n", at);
    const end = newline === -1 ? text.length : newline;
    const start = at;
    at = isMereText(scan, at) ? passWords(scan, at, end, at, end) : scanLine(scan, ahead, at, end);
    if (scan.stack.includes(quote)) quoteLine(scan, start, end);
  }
  closeRun(scan);
  const inline = beginInline(scan.labels, scan.notes);
  readPieces(scan, inline, wanted);
  const spans = endInline(inline, text.length);
  const quotes = mergeSpans([...scan.quotes, ...quotations(inline, text)]);
  return { spans, codeLines: scan.codeLines, quotes };
}

/**
 * Outside of all containers, fences, tables and HTML, a line that begins with a letter can be
 * nothing but words: most lines are that.
 */
function isMereText(scan: BlockScan, at: number): boolean {
  if (scan.stack.length > 0 || (scan.leaf !== "paragraph" && scan.leaf !== "none")) return false;
  const lower = scan.text.charCodeAt(at) | 32;
  return lower >= 97 && lower <= 122;
}

/** Reads one line and returns where the next one begins. */
function scanLine(scan: BlockScan, ahead: InlineState, start: number, end: number): number {
  const line = openLine(scan.text, start, end);
  const matched = matchContainers(scan, line);
  const { emptyItem } = scan;
  scan.emptyItem = false;
  if (matched === scan.stack.length) {
    if (scan.leaf === "fence") {
      if (closesFence(scan.text, line, scan.fence, scan.fenceLength)) scan.leaf = "none";
      scan.codeLines.add(start);
      return hide(scan, start, end);
    }
    if (scan.leaf === "html" && (scan.htmlKind < 6 || line.at < line.end))
      return passHtml(scan, line, start, end);
  }
  if (line.at === line.end) {
    // An item may begin with one empty line and not with two.
    if (emptyItem) scan.stack.pop();
    return passBlank(scan, matched, start, end);
  }
  const open = openContainers(scan, line, matched);
  if (open === -1) return hide(scan, start, end);
  return passLeaf(scan, ahead, line, open, start, end);
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
      const columns = container === note ? noteColumns : container;
      if (indent < columns) break;
      line.consumed += columns;
    }
  }
  return matched;
}

/** By so many columns the lines of a footnote are indented. */
const noteColumns = 4;

/** A blank line ends the paragraph, and every quote that it does not go on with. */
function passBlank(scan: BlockScan, matched: number, start: number, end: number): number {
  closeRun(scan);
  const firstQuote = scan.stack.indexOf(quote);
  if (firstQuote >= 0 && matched <= firstQuote) shorten(scan.stack, firstQuote);
  return hide(scan, start, end);
}

/**
 * Enters quotes, list items and footnotes that begin on the line. Returns how many containers hold
 * the rest, -1 when nothing is left.
 */
function openContainers(scan: BlockScan, line: Line, matched: number): number {
  const { text } = scan;
  let open = matched;
  while (line.column - line.consumed < 4) {
    const code = text.charCodeAt(line.at);
    const label = code === 91 /* [ */ ? noteLabelEnd(text, line.at, line.end) : -1;
    if (code === 62 /* > */) {
      enter(scan, open, quote);
      passQuoteMark(text, line);
    } else if (label !== -1 && text.charCodeAt(label + 1) === 58 /* : */) {
      scan.notes.add(labelOf(text, line.at + 2, label));
      enter(scan, open, note);
      enterNote(text, line, label + 2);
    } else {
      if (isThematicBreak(text, line, code)) break;
      // What the line does not go on with cannot be interrupted: there any number begins a list.
      const width = listMarker(
        text,
        line,
        code,
        scan.leaf === "paragraph" && open === scan.stack.length,
      );
      if (width === 0) break;
      enter(scan, open, 0);
      scan.stack[open] = enterItem(text, line, width);
    }
    open += 1;
    if (line.at === line.end) {
      if ((scan.stack[open - 1] ?? 0) > 0) scan.emptyItem = true;
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

/**
 * What stands on the line behind its containers: code, a heading, a break, a row of a table, HTML,
 * or words.
 */
function passLeaf(
  scan: BlockScan,
  ahead: InlineState,
  line: Line,
  open: number,
  start: number,
  end: number,
): number {
  const { text } = scan;
  const code = text.charCodeAt(line.at);
  const goesOn = open === scan.stack.length;
  if (line.column - line.consumed >= 4) {
    if (scan.leaf === "paragraph") {
      const next = passWords(scan, line.at, line.end, start, end);
      scan.lastAt = -1;
      return next;
    }
    closeTo(scan, open);
    scan.codeLines.add(start);
    return hide(scan, start, end);
  }
  if (isFence(text, line, code)) {
    closeTo(scan, open);
    scan.leaf = "fence";
    scan.fence = code;
    scan.fenceLength = runLength(text, line.at, line.end, code);
    return hide(scan, start, end);
  }
  const underline = scan.leaf === "paragraph" && goesOn && isUnderline(text, line, code);
  if (!underline && scan.leaf === "paragraph" && goesOn && beginsTable(scan, line))
    return hide(scan, start, end);
  if (underline || isThematicBreak(text, line, code)) {
    closeTo(scan, open);
    return hide(scan, start, end);
  }
  const heading = code === 35 && isHeading(text, line);
  const htmlKind = code === 60 ? htmlBlockKind(text, line, scan.leaf === "paragraph", ahead) : 0;
  if (htmlKind > 0) {
    closeTo(scan, open);
    scan.leaf = "html";
    scan.htmlKind = htmlKind;
    return passHtml(scan, line, start, end);
  }
  if (scan.leaf === "table" && goesOn && !heading) return passRow(scan, line, start, end);
  // Words that follow on a paragraph belong to its containers even where the line does not repeat
  // them.
  if (heading || scan.leaf !== "paragraph") closeTo(scan, open);
  const next = passWords(scan, line.at, line.end, start, end);
  if (heading) closeRun(scan);
  return next;
}
