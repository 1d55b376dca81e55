import { passAngle } from "./html.ts";
import { runLength } from "./line.ts";
import { labelEnd, labelOf, noteLabelEnd, resourceEnd } from "./link.ts";
import { hideMarked } from "./hidden-marks.ts";
import { findAhead, hideSpan, type InlineState, shorten } from "./spans.ts";
import type { Scannable } from "./scannable.ts";

/**
 * Finds code spans, links, comments, tags and what is struck out in one paragraph. In an HTML block
 * (`isHtml`) the host shows Markdown's marks as they are; whoever wrote them meant them, so that
 * what they mark is hidden there as well.
 */
export function scanInline(
  state: InlineState,
  text: Scannable,
  start: number,
  end: number,
  isHtml: boolean,
): void {
  shorten(state.brackets, 0);
  shorten(state.links, 0);
  shorten(state.marks, 0);
  state.linkedAt = -1;
  state.lastBracket = -1;
  state.noTagAt.clear();
  let lastTicks: ReadonlyMap<number, number> | null = null;
  let at = start;
  while (at < end) {
    const code = text.charCodeAt(at);
    // Small letters and blanks are nearly all of a text: passing them by few comparisons takes a
    // third off.
    if (code > 96 ? code !== 126 : code < 60 && code !== 36) at += 1;
    else if (code === 92 /* \ */) at += 2;
    else if (code === 96 /* ` */) {
      lastTicks ??= lastTickRuns(text, at, end);
      at = passTicks(state, text, at, end, lastTicks);
    } else if (code === 60 /* < */) at = isHtml ? at + 1 : passAngle(state, text, at, end);
    else if (code === 91 /* [ */) at = openBracket(state, text, at, end);
    else if (code === 93 /* ] */) at = passBracket(state, text, at, end);
    else if (code === 126 /* ~ */ || code === 36 /* $ */) {
      const length = runLength(text, at, end, code);
      state.marks.push(at, length);
      at += length;
    } else at += 1;
  }
  if (state.marks.length > 2) hideMarked(state, text, start, end);
}

/** A run of backticks hides everything up to the next run of the same length, if there is one. */
function passTicks(
  state: InlineState,
  text: Scannable,
  at: number,
  end: number,
  lastTicks: ReadonlyMap<number, number>,
): number {
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

/**
 * For each length, where the last run of so many backticks begins: an opening run without a partner
 * costs nothing.
 */
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

/** A footnote's number stands for its label on the page; any other bracket may begin a link. */
function openBracket(state: InlineState, text: Scannable, at: number, end: number): number {
  if (state.notes.size > 0 && text.charCodeAt(at + 1) === 94) {
    const close = noteLabelEnd(text, at, end);
    if (close !== -1 && state.notes.has(labelOf(text, at + 2, close))) {
      hideSpan(state, at, close + 1);
      return close + 1;
    }
  }
  state.brackets.push(at);
  state.lastBracket = at;
  return at + 1;
}

/**
 * A target, a label or a definition of its own makes a link of what stands between the brackets;
 * the whole of it is hidden.
 */
function passBracket(state: InlineState, text: Scannable, at: number, end: number): number {
  const { lastBracket } = state;
  state.lastBracket = at;
  const open = state.brackets.pop();
  if (open === undefined) return at + 1;
  const image = text.charCodeAt(open - 1) === 33 && text.charCodeAt(open - 2) !== 92;
  if (!image && open < state.linkedAt) return at + 1;
  const behind = linkEnd(state, text, open, at, end, lastBracket === open);
  if (behind === -1) return at + 1;
  if (!image) state.linkedAt = open;
  const { links } = state;
  while (links.length > 0 && (links[links.length - 2] ?? 0) >= open)
    shorten(links, links.length - 2);
  links.push(open, behind);
  hideSpan(state, open, behind);
  return behind;
}

/**
 * Behind the link whose text stands between the brackets at `open` and `close`; -1 where it is
 * none.
 */
function linkEnd(
  state: InlineState,
  text: Scannable,
  open: number,
  close: number,
  end: number,
  isLabel: boolean,
): number {
  const next = close + 1 < end ? text.charCodeAt(close + 1) : 0;
  if (next === 40 /* ( */ && findAhead(state, "linkEnd", ")", text, close + 2) !== -1) {
    const behind = resourceEnd(text, close + 1, end);
    if (behind !== -1) return behind;
  }
  if (state.labels.size === 0) return -1;
  if (next === 91 /* [ */) {
    const label = labelEnd(text, close + 1, end);
    if (label > close + 2) {
      const named = labelOf(text, close + 2, label);
      if (named !== "") return state.labels.has(named) ? label + 1 : -1;
    }
    if (label === close + 2)
      return isLabel && state.labels.has(labelOf(text, open + 1, close)) ? label + 1 : -1;
  }
  return isLabel && state.labels.has(labelOf(text, open + 1, close)) ? close + 1 : -1;
}
