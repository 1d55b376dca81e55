import type { Scannable } from "./scannable.ts";

/**
 * A line while its beginning is read. Columns count from 0, tabs reach to the next multiple of
 * four.
 */
export type Line = {
  /** First character that is not blank, or `end`. */
  at: number;
  /** Behind the last character, without the line's end. */
  readonly end: number;
  /** Column of `at`. */
  column: number;
  /** Columns that belong to containers. */
  consumed: number;
  /**
   * Where a search for a thematic break last failed, and for which character; saves reading long
   * lines again.
   */
  noBreakBefore: number;
  noBreakOf: number;
};

export function openLine(text: Scannable, start: number, end: number): Line {
  const bare = end > start && text.charCodeAt(end - 1) === 13 ? end - 1 : end;
  const line: Line = {
    at: start,
    end: bare,
    column: 0,
    consumed: 0,
    noBreakBefore: -1,
    noBreakOf: 0,
  };
  passBlanks(text, line);
  return line;
}

/** Consumes `>` and one blank after it. */
export function passQuoteMark(text: Scannable, line: Line): void {
  line.at += 1;
  line.column += 1;
  line.consumed = line.column;
  passBlanks(text, line);
  if (line.column > line.consumed) line.consumed += 1;
}

/**
 * Consumes a list marker of `width` characters; returns the columns by which the item's content is
 * indented.
 */
export function enterItem(text: Scannable, line: Line, width: number): number {
  const before = line.column - line.consumed + width;
  line.at += width;
  line.column += width;
  const marker = line.column;
  passBlanks(text, line);
  const blanks = line.column - marker;
  // Five blanks and more: one belongs to the marker, the rest indents code.
  const content = before + (line.at === line.end || blanks > 4 ? 1 : blanks);
  line.consumed += content;
  return content;
}

/** Consumes the label of a footnote up to `behind` and the blanks after it. */
export function enterNote(text: Scannable, line: Line, behind: number): void {
  line.column += behind - line.at;
  line.at = behind;
  passBlanks(text, line);
  line.consumed = line.column;
}

/**
 * Width of the list marker at the line's first character; 0 when there is none, or when it may not
 * end a paragraph.
 */
export function listMarker(
  text: Scannable,
  line: Line,
  code: number,
  inParagraph: boolean,
): number {
  let at = line.at;
  if (code >= 48 && code <= 57) {
    while (at < line.end && at - line.at < 9 && isDigit(text.charCodeAt(at))) at += 1;
    const mark = at < line.end ? text.charCodeAt(at) : 0;
    if (mark !== 46 && mark !== 41) return 0;
    if (inParagraph && !(at === line.at + 1 && code === 49)) return 0;
  } else if (code !== 45 && code !== 43 && code !== 42) return 0;
  at += 1;
  const width = at - line.at;
  if (at < line.end && !isBlank(text.charCodeAt(at))) return 0;
  if (!inParagraph) return width;
  while (at < line.end && isBlank(text.charCodeAt(at))) at += 1;
  return at === line.end ? 0 : width;
}

/** Three or more of a backtick or tilde; behind backticks no further one. */
export function isFence(text: Scannable, line: Line, code: number): boolean {
  if (code !== 96 && code !== 126) return false;
  const length = runLength(text, line.at, line.end, code);
  if (length < 3) return false;
  if (code === 126) return true;
  for (let at = line.at + length; at < line.end; at += 1)
    if (text.charCodeAt(at) === 96) return false;
  return true;
}

export function closesFence(text: Scannable, line: Line, fence: number, length: number): boolean {
  if (line.column - line.consumed > 3) return false;
  const run = runLength(text, line.at, line.end, fence);
  if (run < length) return false;
  for (let at = line.at + run; at < line.end; at += 1)
    if (!isBlank(text.charCodeAt(at))) return false;
  return true;
}

/** One to six `#` and a blank. */
export function isHeading(text: Scannable, line: Line): boolean {
  const length = runLength(text, line.at, line.end, 35);
  return (
    length <= 6 && (line.at + length === line.end || isBlank(text.charCodeAt(line.at + length)))
  );
}

/** One or more of `=` or `-` and nothing else: behind a paragraph they make a heading of it. */
export function isUnderline(text: Scannable, line: Line, code: number): boolean {
  if (code !== 61 && code !== 45) return false;
  let at = line.at + runLength(text, line.at, line.end, code);
  while (at < line.end && isBlank(text.charCodeAt(at))) at += 1;
  return at === line.end;
}

/** Three or more of one of `-`, `_`, `*` and nothing else. */
export function isThematicBreak(text: Scannable, line: Line, code: number): boolean {
  if (code !== 45 && code !== 95 && code !== 42) return false;
  if (line.noBreakOf === code && line.noBreakBefore >= line.at) return false;
  let marks = 0;
  for (let at = line.at; at < line.end; at += 1) {
    const next = text.charCodeAt(at);
    if (next === code) marks += 1;
    else if (!isBlank(next)) {
      line.noBreakOf = code;
      line.noBreakBefore = at;
      return false;
    }
  }
  return marks >= 3;
}

/** How often `code` stands in a row. */
export function runLength(text: Scannable, start: number, end: number, code: number): number {
  let at = start;
  while (at < end && text.charCodeAt(at) === code) at += 1;
  return at - start;
}

export function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function passBlanks(text: Scannable, line: Line): void {
  while (line.at < line.end) {
    const code = text.charCodeAt(line.at);
    if (code === 32) line.column += 1;
    else if (code === 9) line.column += 4 - (line.column % 4);
    else return;
    line.at += 1;
  }
}
