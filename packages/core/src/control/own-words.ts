import { mailMarks } from "./mail.ts";
import type { MailMark } from "./mail-mark.ts";
import { readMarkdown } from "./markdown-blocks.ts";
import { mergeSpans } from "./markdown-spans.ts";

/**
 * Where a text has something that may hide without any Markdown: other people's mail, and
 * characters that turn around what follows.
 */
export type Beside = { readonly marks: readonly MailMark[]; readonly overrides: readonly number[] };

export function besideMarkdown(text: string): Beside {
  return { marks: mailMarks(text), overrides: overridesIn(text) };
}

export function isNothing({ marks, overrides }: Beside): boolean {
  return marks.length === 0 && overrides.length === 0;
}

/**
 * Spans of a text that are not its author's own visible words: by Markdown (`readMarkdown`), by
 * mail, and lines from where their direction is overridden. `wanted` as there. Lines must end in
 * line feeds.
 */
export function notOwnSpans(
  text: string,
  wanted: readonly number[] | null,
  { marks, overrides }: Beside,
): readonly number[] {
  const asked =
    wanted === null || marks.length === 0
      ? wanted
      : [...wanted, ...marks.map(({ start }) => start)].toSorted((a, b) => a - b);
  const { spans, breaks } = readMarkdown(text, asked);
  const mail = mailSpans(text, marks, spans, breaks);
  if (mail.length === 0 && overrides.length === 0) return spans;
  return mergeSpans([...spans, ...overrides, ...mail]);
}

/** What a text quotes as a page shows it, and the mail below it: spans, ascending and disjoint. */
export function quotedSpans(text: string): readonly number[] {
  const lines = withLineFeeds(text);
  const marks = mailMarks(lines);
  // Without such a sign nothing is marked, and no tag ends.
  if (marks.length === 0 && !text.includes(">")) return [];
  const { spans, breaks, quotes } = readMarkdown(lines, null);
  const mail = mailSpans(text, marks, spans, breaks);
  return mail.length === 0 ? quotes : mergeSpans([...quotes, ...mail]);
}

/** What the marks hide that are not code or quoted themselves, to the first that hides all. */
function mailSpans(
  text: string,
  marks: readonly MailMark[],
  spans: readonly number[],
  breaks: ReadonlySet<number>,
): readonly number[] {
  const found: number[] = [];
  for (const { start, end, surely } of marks) {
    // A name that begins as a fence does is no fence of the author's.
    const isFence = "`~".includes(text.charAt(start));
    if (!surely && !isFence && !breaks.has(start) && covers(spans, start)) continue;
    found.push(start, end ?? text.length);
    if (end === null) break;
  }
  return found;
}

/**
 * The same, every position where it was, with lines that a carriage return alone ends ended as the
 * scanner knows it.
 */
export function withLineFeeds(text: string): string {
  return text.includes("\r") ? text.replace(/\r(?!\n)/g, "\n") : text;
}

/** Whether a position lies inside of a span. */
function covers(spans: readonly number[], at: number): boolean {
  for (let i = 0; i < spans.length; i += 2) {
    if ((spans[i] ?? 0) > at) return false;
    if (at < (spans[i + 1] ?? 0)) return true;
  }
  return false;
}

/**
 * From each character that overrides the direction of what follows to the end of its line: start,
 * end, …
 */
function overridesIn(text: string): readonly number[] {
  const found: number[] = [];
  for (const override of ["\u202d", "\u202e"]) {
    for (let at = text.indexOf(override); at !== -1;) {
      const newline = text.indexOf("\n", at);
      // Nobody writes so many; the rest of such a text is not looked at.
      const end = newline === -1 || found.length > mostOverrides ? text.length : newline;
      found.push(at, end);
      at = text.indexOf(override, end);
    }
  }
  return found;
}

const mostOverrides = 200;
