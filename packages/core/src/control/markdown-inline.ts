import type { Scannable } from "./scannable.ts";
import { runLength } from "./markdown-line.ts";
import { isRawTag, type Tag, tagAt } from "./markdown-tag.ts";

/** What is known while the paragraphs of one text are read, first to last. */
export type InlineState = {
  /** Hidden spans so far: start, end, start, end, … */
  readonly spans: number[];
  /** Where the outermost open `<pre>`, `<code>` or `<blockquote>` began; -1 outside. All of it is one span. */
  hiddenFrom: number;
  /** How many of each kind are open. */
  readonly depth: { pre: number; code: number; blockquote: number };
  /** Positions of the next `<`, `>`, end of comment and `)`, found by searches that only go forward; -2 before the first. */
  readonly ahead: { tag: number; tagEnd: number; commentEnd: number; linkEnd: number };
  /** `[` that no `]` has answered yet. */
  readonly brackets: number[];
  /** No link holds a link: a `[` before the last one that was found begins none any more. */
  linkedAt: number;
};

type Ahead = keyof InlineState["ahead"];

export function beginInline(): InlineState {
  return { spans: [], hiddenFrom: -1, depth: { pre: 0, code: 0, blockquote: 0 }, ahead: { tag: -2, tagEnd: -2, commentEnd: -2, linkEnd: -2 }, brackets: [], linkedAt: -1 };
}

export function endInline(state: InlineState, length: number): readonly number[] {
  if (state.hiddenFrom >= 0 && length > state.hiddenFrom) state.spans.push(state.hiddenFrom, length);
  return state.spans;
}

export function hideSpan(state: InlineState, start: number, end: number): void {
  if (state.hiddenFrom === -1 && end > start) state.spans.push(start, end);
}

/** Drops what is behind the first `length` entries, one by one: writing to `length` takes ten times as long for so few. */
export function shorten(list: unknown[], length: number): void {
  while (list.length > length) list.pop();
}

/** Whether a `<` stands in the paragraph. */
export function hasTag(state: InlineState, text: Scannable, start: number, end: number): boolean {
  const at = findAhead(state, "tag", "<", text, start);
  return at !== -1 && at < end;
}

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

/** A comment, or an element whose content is no Markdown, at the beginning of a line. */
export function isRawHtml(text: Scannable, at: number): boolean {
  return text.startsWith("<!--", at) || isRawTag(tagAt(text, at + 1));
}

/** Hides such a block up to its end, to the end of the text when it has none; returns the position behind. */
export function skipRawHtml(state: InlineState, text: Scannable, at: number): number {
  const behind = text.startsWith("<!--", at) ? commentEnd(state, text, at) : rawEnd(text, at);
  const end = behind === -1 ? text.length : behind;
  hideSpan(state, at, end);
  return end;
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

function passAngle(state: InlineState, text: Scannable, at: number, end: number): number {
  if (text.startsWith("<!--", at)) {
    const behind = commentEnd(state, text, at);
    if (behind === -1 || behind > end) return at + 4;
    hideSpan(state, at, behind);
    return behind;
  }
  const closes = text.charCodeAt(at + 1) === 47;
  const tag = tagAt(text, closes ? at + 2 : at + 1);
  if (tag === "none") return at + 1;
  const tagEnd = findAhead(state, "tagEnd", ">", text, at);
  if (tagEnd === -1 || tagEnd >= end) return at + 1;
  if (closes) closeElement(state, tag, at, tagEnd + 1);
  else openElement(state, tag, at, tagEnd + 1);
  return tagEnd + 1;
}

function openElement(state: InlineState, tag: Tag, start: number, end: number): void {
  if (tag !== "pre" && tag !== "code" && tag !== "blockquote") return hideSpan(state, start, end);
  if (state.hiddenFrom === -1) state.hiddenFrom = start;
  state.depth[tag] += 1;
}

function closeElement(state: InlineState, tag: Tag, start: number, end: number): void {
  const { depth } = state;
  if ((tag === "pre" || tag === "code" || tag === "blockquote") && depth[tag] > 0) {
    depth[tag] -= 1;
    if (depth.pre + depth.code + depth.blockquote > 0) return;
    state.spans.push(state.hiddenFrom, end);
    state.hiddenFrom = -1;
  } else hideSpan(state, start, end);
}

/** `](` makes a link of what stands between the brackets; the whole of it is hidden. */
function passBracket(state: InlineState, text: Scannable, at: number, end: number): number {
  const open = state.brackets.pop();
  if (open === undefined || at + 1 >= end || text.charCodeAt(at + 1) !== 40) return at + 1;
  const image = open > 0 && text.charCodeAt(open - 1) === 33 && text.charCodeAt(open - 2) !== 92;
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

/** Behind the `-->` of a comment that begins at `at`; -1 when it never ends. */
function commentEnd(state: InlineState, text: Scannable, at: number): number {
  // `<!-->` is a whole comment, so the search begins at its dashes.
  const end = findAhead(state, "commentEnd", "-->", text, at + 2);
  return end === -1 ? -1 : end + 3;
}

/** Behind the closing tag of the raw element at `at`; -1 when it is never closed. */
function rawEnd(text: Scannable, at: number): number {
  for (let close = text.indexOf("</", at); close !== -1; close = text.indexOf("</", close + 2)) {
    if (!isRawTag(tagAt(text, close + 2))) continue;
    const end = text.indexOf(">", close);
    return end === -1 ? -1 : end + 1;
  }
  return -1;
}

/** `text.indexOf(what, from)` that remembers its answer: positions only grow, so the text is searched once in all. */
function findAhead(state: InlineState, kind: Ahead, what: string, text: Scannable, from: number): number {
  const known = state.ahead[kind];
  if (known === -1 || known >= from) return known;
  const found = text.indexOf(what, from);
  state.ahead[kind] = found;
  return found;
}
