import { runLength } from "./line.ts";
import { isGap, passGaps } from "./tag.ts";
import type { Scannable } from "./scannable.ts";

/**
 * Behind the `)` of a link's target and title, of which the `(` stands at `at`; -1 where there is
 * none.
 */
export function resourceEnd(text: Scannable, at: number, end: number): number {
  let next = passGaps(text, at + 1, end);
  if (next < end && text.charCodeAt(next) === 41) return next + 1;
  const target = targetEnd(text, next, end);
  if (target === -1) return -1;
  next = passGaps(text, target, end);
  if (next > target) {
    const title = titleEnd(text, next, end);
    if (title !== -1) next = passGaps(text, title, end);
  }
  return next < end && text.charCodeAt(next) === 41 ? next + 1 : -1;
}

/** Behind a link's target; -1 where none begins. It may be empty only before the end of a link. */
function targetEnd(text: Scannable, start: number, end: number): number {
  if (start < end && text.charCodeAt(start) === 60) return angledTargetEnd(text, start, end);
  let depth = 0;
  let at = start;
  for (; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= 32 || code === 127) break;
    if (code === 92 && isEscapable(text.charCodeAt(at + 1))) at += 1;
    else if (code === 40) {
      depth += 1;
      if (depth > deepestTarget) return -1;
    } else if (code === 41) {
      if (depth === 0) break;
      depth -= 1;
    }
  }
  return depth > 0 || at === start ? -1 : Math.min(at, end);
}

/** As deep as hosts follow parentheses. */
const deepestTarget = 32;

function angledTargetEnd(text: Scannable, start: number, end: number): number {
  for (let at = start + 1; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 62) return at + 1;
    if (code === 60 || code === 10 || code === 13) return -1;
    if (code === 92) at += 1;
  }
  return -1;
}

/**
 * Behind the title that begins with a quotation mark or parenthesis at `start`; -1 where none does.
 */
function titleEnd(text: Scannable, start: number, end: number): number {
  const open = start < end ? text.charCodeAt(start) : 0;
  if (open !== 34 && open !== 39 && open !== 40) return -1;
  const close = open === 40 ? 41 : open;
  for (let at = start + 1; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === close) return at + 1;
    if (code === 40 && open === 40) return -1;
    if (code === 92) at += 1;
  }
  return -1;
}

/** Position of the `]` that ends the label whose `[` stands at `at`; -1 where it is none. */
export function labelEnd(text: Scannable, at: number, end: number): number {
  for (let i = at + 1; i < end && i - at <= longestLabel; i += 1) {
    const code = text.charCodeAt(i);
    if (code === 93) return i;
    if (code === 91) return -1;
    if (code === 92) i += 1;
  }
  return -1;
}

const longestLabel = 1_000;

/**
 * A label as it is compared: its characters between two positions without case, blanks as one;
 * empty where it is none.
 */
export function labelOf(text: Scannable, start: number, end: number): string {
  if (end - start > longestLabel) return "";
  let label = "";
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (!isGap(code)) label += String.fromCharCode(code);
    else if (label !== "" && !label.endsWith(" ")) label += " ";
  }
  return label.trimEnd().toLowerCase().toUpperCase();
}

/**
 * Passes the link definitions with which a paragraph begins, adding their labels; returns where its
 * words begin.
 */
export function passDefinitions(
  text: Scannable,
  start: number,
  end: number,
  labels: Set<string>,
): number {
  let at = start;
  while (at < end) {
    const behind = definitionEnd(text, passGaps(text, at, end), end, labels);
    if (behind === -1) return at;
    at = behind;
  }
  return end;
}

function definitionEnd(text: Scannable, at: number, end: number, labels: Set<string>): number {
  if (at >= end || text.charCodeAt(at) !== 91) return -1;
  const close = labelEnd(text, at, end);
  if (close === -1 || close + 1 >= end || text.charCodeAt(close + 1) !== 58) return -1;
  const label = labelOf(text, at + 1, close);
  const target = label === "" ? -1 : targetEnd(text, passGaps(text, close + 2, end), end);
  if (target === -1) return -1;
  const gap = passGaps(text, target, end);
  const title = gap > target ? titleEnd(text, gap, end) : -1;
  const behind = title === -1 ? -1 : restOfLine(text, title, end);
  const last = behind === -1 ? restOfLine(text, target, end) : behind;
  if (last !== -1) labels.add(label);
  return last;
}

/** The end of the line where only blanks are left on it; -1 else. */
function restOfLine(text: Scannable, start: number, end: number): number {
  let at = start + runLength(text, start, end, 32);
  while (
    at < end &&
    (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 9 || text.charCodeAt(at) === 13)
  )
    at += 1;
  return at === end || text.charCodeAt(at) === 10 ? at : -1;
}

/**
 * Position of the `]` of a footnote's label, of which the `[` stands at `at`; -1 where it is none.
 */
export function noteLabelEnd(text: Scannable, at: number, end: number): number {
  if (at + 2 >= end || text.charCodeAt(at + 1) !== 94) return -1;
  for (let i = at + 2; i < end && i - at <= longestLabel; i += 1) {
    const code = text.charCodeAt(i);
    if (code === 93) return i > at + 2 ? i : -1;
    if (code === 91 || isGap(code)) return -1;
    if (code === 92) i += 1;
  }
  return -1;
}

function isEscapable(code: number): boolean {
  return (
    (code >= 33 && code <= 47) ||
    (code >= 58 && code <= 64) ||
    (code >= 91 && code <= 96) ||
    (code >= 123 && code <= 126)
  );
}
