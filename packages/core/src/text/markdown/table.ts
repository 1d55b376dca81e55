import { isBlank } from "./line.ts";
import type { Scannable } from "./scannable.ts";

/** How many columns a table has whose second line this is; 0 where it is none. */
export function delimiterColumns(text: Scannable, start: number, end: number): number {
  let columns = 0;
  let at = start;
  let marked = false;
  if (text.charCodeAt(at) === 124) {
    marked = true;
    at += 1;
  }
  for (;;) {
    at = passBlanks(text, at, end);
    if (at === end) return marked ? columns : 0;
    const before = at;
    if (text.charCodeAt(at) === 58) at += 1;
    const dashes = at;
    while (at < end && text.charCodeAt(at) === 45) at += 1;
    if (at === dashes) return 0;
    if (at < end && text.charCodeAt(at) === 58) at += 1;
    marked ||= text.charCodeAt(before) === 58 || text.charCodeAt(at - 1) === 58;
    columns += 1;
    at = passBlanks(text, at, end);
    if (at === end) return marked ? columns : 0;
    if (text.charCodeAt(at) !== 124) return 0;
    marked = true;
    at += 1;
  }
}

/** The cells of a line, start, end, …; a `|` behind a backslash ends none. */
export function cellsOf(text: Scannable, start: number, end: number): readonly number[] {
  const cells: number[] = [];
  let last = end;
  while (last > start && isBlank(text.charCodeAt(last - 1))) last -= 1;
  let at = passBlanks(text, start, last);
  if (at < last && text.charCodeAt(at) === 124) at += 1;
  let cell = at;
  for (; at < last; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 92) at += 1;
    else if (code === 124) {
      cells.push(cell, at);
      cell = at + 1;
    }
  }
  if (cell < last) cells.push(cell, last);
  return cells;
}

function passBlanks(text: Scannable, start: number, end: number): number {
  let at = start;
  while (at < end && isBlank(text.charCodeAt(at))) at += 1;
  return at;
}
