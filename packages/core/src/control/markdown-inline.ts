import { passAngle } from "./markdown-html.ts";
import { runLength } from "./markdown-line.ts";
import { findAhead, hideSpan, type InlineState, shorten } from "./markdown-spans.ts";
import type { Scannable } from "./scannable.ts";

/** Finds code spans, links, comments and tags in one paragraph. */
export function scanInline(state: InlineState, text: Scannable, start: number, end: number): void {
  shorten(state.brackets, 0);
  state.linkedAt = -1;
  let lastTicks: ReadonlyMap<number, number> | null = null;
  let at = start;
  while (at < end) {
    const code = text.charCodeAt(at);
    // Small letters and blanks are nearly all of a text: passing them by two comparisons instead of five takes a third off.
    if (code > 96 || code < 60) at += 1;
    else if (code === 92 /* \ */) at += 2;
    else if (code === 96 /* ` */) {
      lastTicks ??= lastTickRuns(text, at, end);
      at = passTicks(state, text, at, end, lastTicks);
    } else if (code === 60 /* < */) at = passAngle(state, text, at, end);
    else if (code === 91 /* [ */) {
      state.brackets.push(at);
      at += 1;
    } else if (code === 93 /* ] */) at = passBracket(state, text, at, end);
    else at += 1;
  }
}

/** A run of backticks hides everything up to the next run of the same length, if there is one. */
function passTicks(state: InlineState, text: Scannable, at: number, end: number, lastTicks: ReadonlyMap<number, number>): number {
  const length = runLength(text, at, end, 96);
  if ((lastTicks.get(length) ?? -1) <= at) return at + length;
  let closing = at + length;
  for (;;) {
    while (text.charCodeAt(closing) !== 96) closing += 1;
    const run = runLength(text, closing, end, 96);
    if (run === length) break;
    closing += run;
  }
  hideSpan(state, at, closing + length);
  return closing + length;
}

/** For each length, where the last run of so many backticks begins: an opening run without a partner costs nothing. */
function lastTickRuns(text: Scannable, start: number, end: number): Map<number, number> {
  const last = new Map<number, number>();
  let length = 0;
  let run = start;
  for (let at = start; at < end; at += 1) {
    if (text.charCodeAt(at) !== 96) continue;
    const next = runLength(text, at, end, 96);
    // Most runs are as long as the one before, so that only the last of them is written down.
    if (next !== length && length > 0) last.set(length, run);
    length = next;
    run = at;
    at += next;
  }
  return last.set(length, run);
}

/** `](` makes a link of what stands between the brackets; the whole of it is hidden. */
function passBracket(state: InlineState, text: Scannable, at: number, end: number): number {
  const open = state.brackets.pop();
  if (open === undefined || text.charCodeAt(at + 1) !== 40) return at + 1;
  const image = text.charCodeAt(open - 1) === 33 && text.charCodeAt(open - 2) !== 92;
  if (!image && open < state.linkedAt) return at + 1;
  const nearest = findAhead(state, "linkEnd", ")", text, at + 2);
  const close = nearest === -1 || nearest >= end ? -1 : linkEnd(text, at + 2, end);
  if (close === -1) return at + 1;
  if (!image) state.linkedAt = open;
  if (state.hiddenFrom === -1) {
    const { spans } = state;
    while (spans.length > 0 && (spans[spans.length - 2] ?? 0) >= open) shorten(spans, spans.length - 2);
    spans.push(open, close + 1);
  }
  return close + 1;
}

/** Position of the `)` that ends a link's target on the same line. Few nested parentheses are followed, which bounds the work. */
function linkEnd(text: Scannable, start: number, end: number): number {
  let depth = 0;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 41 && code !== 92) continue;
    if (code === 10) return -1;
    if (code === 92) at += 1;
    else if (code === 40) {
      depth += 1;
      if (depth > 4) return -1;
    } else if (code === 41) {
      if (depth === 0) return at;
      depth -= 1;
    }
  }
  return -1;
}
