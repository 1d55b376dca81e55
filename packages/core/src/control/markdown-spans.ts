import type { Scannable } from "./scannable.ts";

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
  if (state.hiddenFrom >= 0) state.spans.push(state.hiddenFrom, length);
  return state.spans;
}

export function hideSpan(state: InlineState, start: number, end: number): void {
  if (state.hiddenFrom === -1 && end > start) state.spans.push(start, end);
}

/** Drops what is behind the first `length` entries, one by one: writing to `length` takes ten times as long for so few. */
export function shorten(list: unknown[], length: number): void {
  while (list.length > length) list.pop();
}

/** `text.indexOf(what, from)` that remembers its answer: positions only grow, so the text is searched once in all. */
export function findAhead(state: InlineState, kind: Ahead, what: string, text: Scannable, from: number): number {
  const known = state.ahead[kind];
  if (known === -1 || known >= from) return known;
  const found = text.indexOf(what, from);
  state.ahead[kind] = found;
  return found;
}
