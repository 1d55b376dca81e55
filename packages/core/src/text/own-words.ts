import { type Copied, copiedIn, copiedSpans, mayBeCopied } from "./copied-by-host.ts";
import { mailMarks } from "./mail/quoted-mail.ts";
import type { MailMark } from "./mail/mark.ts";
import { readMarkdown } from "./markdown/blocks.ts";
import { mergeSpans } from "./markdown/spans.ts";

/**
 * Where a text has something that may hide without any Markdown: other people's mail, what the host
 * copied, and characters that turn around what follows.
 */
export type Beside = {
  readonly marks: readonly MailMark[];
  readonly overrides: readonly number[];
  readonly copied: Copied;
};

export function besideMarkdown(text: string): Beside {
  return { marks: mailMarks(text), overrides: overridesIn(text), copied: copiedIn(text) };
}

export function isNothing({ marks, overrides, copied }: Beside): boolean {
  return marks.length === 0 && overrides.length === 0 && !mayBeCopied(copied);
}

/**
 * Spans of a text that are not its author's own visible words: by Markdown (`readMarkdown`), by
 * mail, and lines from where their direction is overridden. `wanted` as there. Lines must end in
 * line feeds.
 */
export function notOwnSpans(
  text: string,
  wanted: readonly number[] | null,
  { marks, overrides, copied }: Beside,
): readonly number[] {
  const starts = [...marks.map(({ start }) => start), ...copied.below];
  const asked =
    wanted === null || starts.length === 0
      ? wanted
      : [...wanted, ...starts].toSorted((a, b) => a - b);
  const { spans, codeLines } = readMarkdown(text, asked);
  const mail = mailSpans(text, marks, spans, codeLines);
  const beside = [...overrides, ...copiedSpans(copied, codeLines, text.length), ...mail];
  return beside.length === 0 ? spans : mergeSpans([...spans, ...beside]);
}

/** What a text quotes as a page shows it, and the mail below it: spans, ascending and disjoint. */
export function quotedSpans(text: string): readonly number[] {
  const { quotes, others } = quotesIn(text);
  return others.length === 0 ? quotes : mergeSpans([...quotes, ...others]);
}

/**
 * What is taken for somebody else's though no mark of Markdown says so: mail below an answer, its
 * signature, and what the host copied. Spans, ascending and disjoint.
 */
export function unmarkedQuotes(text: string): readonly number[] {
  const { others } = quotesIn(text);
  return others.length === 0 ? others : mergeSpans([...others]);
}

function quotesIn(text: string): {
  readonly quotes: readonly number[];
  readonly others: readonly number[];
} {
  const lines = withLineFeeds(text);
  const [marks, copied] = [mailMarks(lines), copiedIn(lines)];
  // Without such a sign nothing is marked, and no tag ends.
  if (marks.length === 0 && !mayBeCopied(copied) && !text.includes(">"))
    return { quotes: [], others: [] };
  const { spans, codeLines, quotes } = readMarkdown(lines, null);
  const mail = mailSpans(text, marks, spans, codeLines);
  return { quotes, others: [...copiedSpans(copied, codeLines, text.length), ...mail] };
}

/** Whether the host copied somebody else's words into a text. */
export function holdsCopy(text: string): boolean {
  const lines = withLineFeeds(text);
  const copied = copiedIn(lines);
  if (!mayBeCopied(copied)) return false;
  const { codeLines } = readMarkdown(lines, copied.below);
  return copiedSpans(copied, codeLines, text.length).length > 0;
}

/**
 * What the marks hide, to the first that hides all. One in a line of code, or in what begins to be
 * hidden above it, is none; what its own line begins with may be a name that looks like Markdown.
 */
function mailSpans(
  text: string,
  marks: readonly MailMark[],
  spans: readonly number[],
  codeLines: ReadonlySet<number>,
): readonly number[] {
  const found: number[] = [];
  for (const { start, end, surely } of marks) {
    if (!surely && (codeLines.has(start) || beginsBefore(spans, start))) continue;
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

/** Whether a span holds a position that doesn't begin there. */
function beginsBefore(spans: readonly number[], at: number): boolean {
  for (let i = 0; i < spans.length && (spans[i] ?? 0) < at; i += 2)
    if (at < (spans[i + 1] ?? 0)) return true;
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
