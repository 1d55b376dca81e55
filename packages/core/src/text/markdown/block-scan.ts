import type { Scannable } from "./scannable.ts";

/**
 * Deeper nesting than this counts as quoted: nobody's own words stand there. It bounds the work on
 * one line.
 */
export const deepest = 32;
/**
 * Marks a block quote in the stack of containers; positive entries are list items with the columns
 * that they take.
 */
export const quote = -1;
/** Marks a footnote definition, which is shown at the end of the page, if at all. */
export const note = -2;

/**
 * What a piece of the text is: hidden, words of a paragraph or heading, a cell of a table, raw HTML
 * outside or inside of a list; what is quoted or stands in a footnote is hidden, too, and looked
 * into because HTML in it may reach beyond it.
 */
export type PieceKind = (typeof pieceKinds)[number];
export const pieceKinds = [
  "hidden",
  "words",
  "cell",
  "html",
  "html-in-item",
  "quoted",
  "quoted-html",
  "noted",
  "noted-html",
] as const;

/** A part of a text, as blocks of Markdown part it. */
export type Piece = { readonly kind: PieceKind; readonly start: number; readonly end: number };

/** What is known while the lines of one text are read, first to last. */
export type BlockScan = {
  readonly text: Scannable;
  /** In the order of the text. */
  readonly pieces: Piece[];
  /** Labels of link definitions and of footnotes, normalized. */
  readonly labels: Set<string>;
  readonly notes: Set<string>;
  /** Beginnings of lines of code, but for the one that opens a fence. */
  readonly codeLines: Set<number>;
  /** Lines of block quotes with what ends them: start, end, …, ascending and apart. */
  readonly quotes: number[];
  /** Open containers, outermost first. */
  readonly stack: number[];
  leaf: "none" | "paragraph" | "fence" | "html" | "table";
  /** Character code and length of the fence that is open. */
  fence: number;
  fenceLength: number;
  /** Which of CommonMark's seven kinds of HTML block is open. */
  htmlKind: number;
  /** Columns of the table that is open. */
  columns: number;
  /**
   * Bounds of the paragraph or HTML block that is being collected outside of quotes; -1 when none
   * is.
   */
  run: number;
  runEnd: number;
  /**
   * The paragraph's last line without its containers, -1 where it is indented like code; and where
   * the paragraph ended before it.
   */
  lastAt: number;
  lastEnd: number;
  beforeLast: number;
  /** The innermost container is a list item that began on the line before and holds nothing yet. */
  emptyItem: boolean;
};

export function beginScan(text: Scannable): BlockScan {
  return {
    text,
    pieces: [],
    labels: new Set(),
    notes: new Set(),
    codeLines: new Set(),
    quotes: [],
    stack: [],
    leaf: "none",
    fence: 0,
    fenceLength: 0,
    htmlKind: 0,
    columns: 0,
    run: -1,
    runEnd: -1,
    lastAt: -1,
    lastEnd: -1,
    beforeLast: -1,
    emptyItem: false,
  };
}

/** As what a piece inside of a quote or a footnote is read; null outside of both. */
export function quotedKind({ stack }: BlockScan, isHtml: boolean): PieceKind | null {
  let kind: PieceKind | null = null;
  for (const container of stack) {
    if (container === note) return isHtml ? "noted-html" : "noted";
    if (container === quote) kind = isHtml ? "quoted-html" : "quoted";
  }
  return kind;
}

/** Notes that the line from `start` to `end` is quoted. */
export function quoteLine({ quotes, text }: BlockScan, start: number, end: number): void {
  const behind = Math.min(end + 1, text.length);
  const last = quotes.length - 1;
  if (last > 0 && start <= (quotes[last] ?? 0)) quotes[last] = behind;
  else quotes.push(start, behind);
}

/** Inside of a quote or a footnote nothing is the author's own word on the page. */
export function isQuoted({ stack }: BlockScan): boolean {
  for (const container of stack) if (container < 0) return true;
  return false;
}
