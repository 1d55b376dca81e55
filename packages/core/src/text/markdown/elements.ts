import { hideSpan, type InlineState } from "./spans.ts";
import { tagName } from "./tag.ts";
import type { Scannable } from "./scannable.ts";

/**
 * How a browser closes an element: `block` by its own end tag wherever that stands, `inline` only
 * where no block was opened since, `format` also over blocks. `cell` is a block that end tags of
 * what is around it do not reach into.
 */
type Closing = "block" | "cell" | "inline" | "format";

/** An open HTML element, or the block of Markdown that is being read (`name` is empty). */
export type OpenElement = {
  readonly name: string;
  readonly closing: Closing;
  readonly hides: boolean;
};

/**
 * Elements whose content is quoted, struck out, code or a variable, somebody else's text, shown in
 * another order or small above other words, or not shown.
 */
const hiding: ReadonlyMap<string, Closing> = new Map([
  ...listed(
    "block",
    "pre blockquote title textarea style script xmp iframe noembed noframes noscript plaintext dialog listing",
  ),
  ...listed("cell", "template object applet marquee select"),
  ...listed("format", "s strike code tt a"),
  ...listed(
    "inline",
    "del kbd samp var q cite bdo ruby rb rt rtc rp audio video canvas svg math option optgroup datalist progress meter",
  ),
]);

/** Of these, what is shown as somebody's words. */
export const quoting: ReadonlySet<string> = new Set(["blockquote", "q"]);

/** Elements that are shown, and that end tags of `inline` elements do not reach over. */
const shown: ReadonlyMap<string, Closing> = new Map([
  ...listed(
    "block",
    "address article aside button center dd details dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup li main menu nav ol p search section summary table tbody tfoot thead tr ul",
  ),
  ...listed("cell", "td th caption"),
]);

const empty: ReadonlySet<string> = new Set(
  "area base br col embed frame hr img input link meta param source track wbr".split(" "),
);
/** Opening one of these closes the one before. */
const alone: ReadonlySet<string> = new Set(["p", "li", "dd", "dt", "tr", "td", "th", "option"]);
/** More open elements than anybody needs; a page with more is not judged any further. */
const mostOpen = 64;

function listed(closing: Closing, names: string): readonly (readonly [string, Closing])[] {
  return names.split(" ").map((name) => [name, closing]);
}

/**
 * An opening tag from `start` to `end`. `concealed`: an attribute may hide the element, as `hidden`
 * and `style` do.
 */
export function openElement(
  state: InlineState,
  name: string,
  concealed: boolean,
  start: number,
  end: number,
): void {
  hideSpan(state, start, end);
  if (empty.has(name)) return;
  const hides = concealed || hiding.has(name);
  const closing = hiding.get(name) ?? shown.get(name) ?? "inline";
  if (!hides && closing === "inline") return;
  if (alone.has(name) && !hides && state.open.at(-1)?.name === name) return;
  if (hides && state.hiddenFrom === -1) state.hiddenFrom = start;
  if (quoting.has(name) && state.quotedFrom === -1) state.quotedFrom = start;
  state.open.push({ name, closing, hides });
  if (state.open.length > mostOpen && state.lostFrom === -1) state.lostFrom = start;
}

/**
 * A closing tag from `start` to `end`: it ends the innermost element of its name where a browser
 * would let it.
 */
export function closeElement(state: InlineState, name: string, start: number, end: number): void {
  hideSpan(state, start, end);
  const { open } = state;
  if (state.lostFrom !== -1) return;
  for (let i = open.length - 1; i >= 0; i -= 1) {
    const element = open[i];
    if (element === undefined) return;
    if (element.name === name) {
      open.splice(i, 1);
      if (element.hides) showFrom(state, end);
      if (quoting.has(name)) endQuotation(state, end);
      return;
    }
    if (element.closing === "cell" || (element.closing === "block" && !reachesOverBlocks(name)))
      return;
  }
}

function reachesOverBlocks(name: string): boolean {
  const closing = hiding.get(name) ?? shown.get(name);
  return closing !== undefined && closing !== "inline";
}

/** Once the last element that hides is closed, what follows counts again. */
function showFrom(state: InlineState, end: number): void {
  if (state.open.some(({ hides }) => hides)) return;
  hideSpan(state, state.hiddenFrom, end);
  state.hiddenFrom = -1;
}

/** Once the last element that quotes is closed, what follows is no quote. */
function endQuotation(state: InlineState, end: number): void {
  if (state.open.some(({ name }) => quoting.has(name))) return;
  state.quotes.push(state.quotedFrom, end);
  state.quotedFrom = -1;
}

/** Runs `read` inside of a block of Markdown, which is an element of the page like any other. */
export function insideBlock(state: InlineState, closing: "block" | "cell", read: () => void): void {
  if (state.open.length === 0) return read();
  const block: OpenElement = { name: "", closing, hides: false };
  state.open.push(block);
  read();
  state.open.splice(state.open.indexOf(block), 1);
}

/**
 * Runs `read` inside of a quote up to `end`: with it all elements end that are not `format`. An
 * open `blockquote` takes its end for itself, and a `cell` does not let it end.
 */
export function insideQuote(state: InlineState, end: number, read: () => void): void {
  const { open } = state;
  const before = new Set(open);
  insideBlock(state, "block", read);
  const left = open.filter(
    (element) =>
      before.has(element) || element.closing === "format" || element.name === "blockquote",
  );
  if (left.length === open.length) return;
  if (
    state.lostFrom === -1 &&
    open.some((element) => element.closing === "cell" && !before.has(element))
  )
    state.lostFrom = end;
  open.splice(0, open.length, ...left);
  if (state.hiddenFrom !== -1) showFrom(state, state.hiddenFrom);
  if (state.quotedFrom !== -1) endQuotation(state, state.quotedFrom);
}

/** Spans of what elements quote, once the whole text is read, in no order. */
export function quotations(state: InlineState, text: Scannable): readonly number[] {
  const { quotes, quotedFrom, lostFrom } = state;
  const open = quotedFrom === -1 ? [] : [quotedFrom, text.length];
  // What an element quotes behind there, and where it ends, nobody can tell.
  const lost = lostFrom !== -1 && mayQuote(text, lostFrom) ? [lostFrom, text.length] : [];
  return [...quotes, ...open, ...lost];
}

/** Whether an element that quotes may begin at `from` or behind. */
function mayQuote(text: Scannable, from: number): boolean {
  let at = text.indexOf("<", from);
  while (at !== -1 && !quoting.has(tagName(text, at + 1))) at = text.indexOf("<", at + 1);
  return at !== -1;
}

/** Runs `read`, behind which everything is open that was open before. */
export function keepingOpen(state: InlineState, read: () => void): void {
  const before = [...state.open];
  const { hiddenFrom, quotedFrom } = state;
  read();
  if (hiddenFrom !== -1) state.hiddenFrom = hiddenFrom;
  if (quotedFrom !== -1) state.quotedFrom = quotedFrom;
  const opened = state.open.filter((element) => !before.includes(element));
  state.open.splice(0, state.open.length, ...before, ...opened);
}
