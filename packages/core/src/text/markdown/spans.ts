import type { OpenElement } from "./elements.ts";
import type { Scannable } from "./scannable.ts";

/** What is known while the paragraphs of one text are read, first to last. */
export type InlineState = {
  /** Hidden spans so far: start, end, start, end, … in no order. */
  readonly spans: number[];
  /** What elements quote, in the same way. */
  readonly quotes: number[];
  /** HTML elements that are open and matter, outermost first. */
  readonly open: OpenElement[];
  /** Where the outermost open element began whose content does not count; -1 outside. */
  hiddenFrom: number;
  /** The same of elements that quote. */
  quotedFrom: number;
  /**
   * From here on nobody can tell what is shown: a tag or comment goes on over the end of its block.
   * -1 where all is well.
   */
  lostFrom: number;
  /**
   * Positions of the next occurrences, found by searches that only go forward; -2 before the first.
   */
  readonly ahead: {
    tag: number;
    commentEnd: number;
    commentBang: number;
    instructionEnd: number;
    sectionEnd: number;
    tagEnd: number;
    linkEnd: number;
  };
  /** From here on there is no such quotation mark. */
  readonly noQuoteFrom: { 34: number; 39: number };
  /** `[` that no `]` has answered yet. */
  readonly brackets: number[];
  /** The last bracket that was passed. */
  lastBracket: number;
  /** No link holds a link: a `[` before the last one that was found begins none any more. */
  linkedAt: number;
  /**
   * Links and images of the paragraph: start, end, …; what strikes out must not reach into them.
   */
  readonly links: number[];
  /** Runs of `~` and of `$`: position, length, … */
  readonly marks: number[];
  /** Where attributes were looked for in vain, so that each is read once. */
  readonly noTagAt: Set<number>;
  readonly labels: ReadonlySet<string>;
  readonly notes: ReadonlySet<string>;
};

type Ahead = keyof InlineState["ahead"];

export function beginInline(labels: ReadonlySet<string>, notes: ReadonlySet<string>): InlineState {
  const ahead = {
    tag: -2,
    commentEnd: -2,
    commentBang: -2,
    instructionEnd: -2,
    sectionEnd: -2,
    tagEnd: -2,
    linkEnd: -2,
  };
  return {
    spans: [],
    quotes: [],
    open: [],
    hiddenFrom: -1,
    quotedFrom: -1,
    lostFrom: -1,
    ahead,
    noQuoteFrom: { 34: Number.POSITIVE_INFINITY, 39: Number.POSITIVE_INFINITY },
    brackets: [],
    lastBracket: -1,
    linkedAt: -1,
    links: [],
    marks: [],
    noTagAt: new Set(),
    labels,
    notes,
  };
}

/** All hidden spans in order, apart from each other. */
export function endInline(state: InlineState, length: number): readonly number[] {
  if (state.hiddenFrom >= 0) state.spans.push(state.hiddenFrom, length);
  if (state.lostFrom >= 0) state.spans.push(state.lostFrom, length);
  return mergeSpans(state.spans);
}

/** Brings spans into order and joins those that touch. */
export function mergeSpans(spans: readonly number[]): readonly number[] {
  if (areApart(spans)) return spans;
  const pairs = Array.from({ length: spans.length / 2 }, (_, i): readonly [number, number] => [
    spans[2 * i] ?? 0,
    spans[2 * i + 1] ?? 0,
  ]);
  pairs.sort((a, b) => a[0] - b[0]);
  const merged: number[] = [];
  for (const [start, end] of pairs) {
    const last = merged.length - 1;
    if (last > 0 && start <= (merged[last] ?? 0)) merged[last] = Math.max(merged[last] ?? 0, end);
    else merged.push(start, end);
  }
  return merged;
}

function areApart(spans: readonly number[]): boolean {
  for (let i = 1; i < spans.length; i += 1)
    if ((spans[i] ?? 0) <= (spans[i - 1] ?? 0)) return false;
  return true;
}

export function hideSpan(state: InlineState, start: number, end: number): void {
  if (end > start) state.spans.push(start, end);
}

/**
 * Drops what is behind the first `length` entries, one by one: writing to `length` takes ten times
 * as long for so few.
 */
export function shorten(list: unknown[], length: number): void {
  while (list.length > length) list.pop();
}

/**
 * `text.indexOf(what, from)` that remembers its answer: positions only grow, so the text is
 * searched once in all.
 */
export function findAhead(
  state: InlineState,
  kind: Ahead,
  what: string,
  text: Scannable,
  from: number,
): number {
  const known = state.ahead[kind];
  if (known === -1 || known >= from) return known;
  const found = text.indexOf(what, from);
  state.ahead[kind] = found;
  return found;
}
