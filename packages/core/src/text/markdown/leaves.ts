import { endsHtmlBlock } from "./html.ts";
import type { Line } from "./line.ts";
import { labelEnd, labelOf, passDefinitions } from "./link.ts";
import { type BlockScan, isQuoted, quotedKind, quoteLine } from "./block-scan.ts";
import { shorten } from "./spans.ts";
import { cellsOf, delimiterColumns } from "./table.ts";

/** Words are hidden inside of a quote; else they join the paragraph. */
export function passWords(
  scan: BlockScan,
  at: number,
  lineEnd: number,
  start: number,
  end: number,
): number {
  const begins = scan.leaf !== "paragraph";
  scan.leaf = "paragraph";
  scan.lastAt = at;
  scan.lastEnd = lineEnd;
  scan.beforeLast = scan.runEnd;
  if (scan.run === -1) scan.run = at;
  scan.runEnd = end;
  if (!isQuoted(scan)) return end + 1;
  if (begins) noteQuotedDefinition(scan, at, lineEnd);
  return hide(scan, start, end);
}

/** A link that is defined in a quote is defined outside of it, too. */
function noteQuotedDefinition({ text, labels }: BlockScan, at: number, end: number): void {
  if (text.charCodeAt(at) !== 91) return;
  const close = labelEnd(text, at, end);
  if (close !== -1 && text.charCodeAt(close + 1) === 58) labels.add(labelOf(text, at + 1, close));
}

/** A line of an HTML block. A mark is shown there as it is, and whoever wrote it meant a quote. */
export function passHtml(scan: BlockScan, line: Line, start: number, end: number): number {
  const quoted = isQuoted(scan);
  if (scan.run === -1) scan.run = line.at;
  scan.runEnd = end;
  const isMarked = scan.text.charCodeAt(line.at) === 62 && line.at + 1 < line.end;
  if (isMarked && scan.htmlKind >= 6) quoteLine(scan, start, end);
  if (endsHtmlBlock(scan.text, scan.htmlKind, line.at, line.end)) closeRun(scan);
  return quoted ? hide(scan, start, end) : end + 1;
}

/** Makes a table of the paragraph's last line where this line is the one below a table's heads. */
export function beginsTable(scan: BlockScan, line: Line): boolean {
  const { text, lastAt, lastEnd, beforeLast, run } = scan;
  const code = text.charCodeAt(line.at);
  if (code !== 124 && code !== 58 && code !== 45) return false;
  const columns = delimiterColumns(text, line.at, line.end);
  if (columns === 0 || lastAt === -1) return false;
  const cells = cellsOf(text, lastAt, lastEnd);
  if (cells.length !== 2 * columns) return false;
  scan.runEnd = beforeLast;
  if (run === lastAt) scan.run = -1;
  closeRun(scan);
  const kind = quotedKind(scan, false);
  if (kind !== null) scan.pieces.push({ kind, start: lastAt, end: lastEnd });
  else addCells(scan, cells, columns, lastEnd);
  scan.leaf = "table";
  scan.columns = columns;
  return true;
}

export function passRow(scan: BlockScan, line: Line, start: number, end: number): number {
  const kind = quotedKind(scan, false);
  if (kind !== null) {
    scan.pieces.push({ kind, start: line.at, end: line.end });
    return hide(scan, start, end);
  }
  addCells(scan, cellsOf(scan.text, line.at, line.end), scan.columns, line.end);
  return end + 1;
}

/** Cells are read each by itself, and what is more than the table has columns is not shown. */
function addCells(
  { pieces }: BlockScan,
  cells: readonly number[],
  columns: number,
  end: number,
): void {
  for (let i = 0; i < cells.length && i < 2 * columns; i += 2)
    pieces.push({ kind: "cell", start: cells[i] ?? 0, end: cells[i + 1] ?? 0 });
  const rest = cells[2 * columns];
  if (rest !== undefined) pieces.push({ kind: "hidden", start: rest, end });
}

/**
 * Ends the paragraph, fence, table or HTML block. A paragraph may begin with definitions of links,
 * which are shown nowhere.
 */
export function closeRun(scan: BlockScan): void {
  const { run, runEnd, leaf, pieces, text } = scan;
  scan.leaf = "none";
  scan.run = -1;
  if (run === -1) return;
  const isHtml = leaf === "html";
  const quoted = quotedKind(scan, isHtml);
  if (isHtml || quoted !== null) {
    const kind = quoted ?? (scan.stack.length > 0 ? "html-in-item" : "html");
    pieces.push({ kind, start: run, end: runEnd });
    return;
  }
  const words =
    text.charCodeAt(run) === 91 /* [ */ ? passDefinitions(text, run, runEnd, scan.labels) : run;
  if (words > run) pieces.push({ kind: "hidden", start: run, end: words });
  if (words < runEnd) pieces.push({ kind: "words", start: words, end: runEnd });
}

/** Closes the containers behind the first `open` ones, with what is open inside of them. */
export function closeTo(scan: BlockScan, open: number): void {
  closeRun(scan);
  shorten(scan.stack, open);
}

export function enter(scan: BlockScan, open: number, container: number): void {
  closeTo(scan, open);
  scan.stack.push(container);
}

export function hide({ pieces }: BlockScan, start: number, end: number): number {
  if (end > start) pieces.push({ kind: "hidden", start, end });
  return end + 1;
}
