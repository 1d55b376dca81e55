import { type Decoded, percentDecoded } from "./percent.ts";
import { formsOf, secretsIn } from "./secret-forms.ts";
import { secretFinder } from "./secret-finder.ts";
import { tokenSpans } from "./token-shapes.ts";

/** A secret of ours, by the name under which it may be mentioned (a variable's name). */
export type Secret = { readonly name: string; readonly value: string };

/** What is read of a text; strings are one. */
export type Chars = Pick<string, "length" | "charCodeAt" | "slice">;

/**
 * A stretch of a text, `end` exclusive; `name` is null where only the shape says that it is a
 * secret.
 */
export type Span = { readonly start: number; readonly end: number; readonly name: string | null };

/** Shorter values would be found in ordinary words, and redacting those breaks what people read. */
export const shortestSecret = 6;

/**
 * Makes a function that takes secrets out of texts for logs and posts: our own by exact value, the
 * passwords inside of them, both also as they stand in URLs, JSON, HTML and base64, and everything
 * that has the shape of a token. Its time grows with the text alone.
 */
export function createRedactor(secrets: readonly Secret[]): (text: Chars) => string {
  const values = secrets.flatMap(({ name, value }) =>
    secretsIn(value).map((each) => ({ name, value: each })),
  );
  const written = values.filter(({ value }) => value.length >= shortestSecret);
  const find = secretFinder(
    written.flatMap(({ name, value }) => formsOf(value).map((form) => ({ name, value: form }))),
  );
  const spansIn = (text: Chars): readonly Span[] => [...find(text), ...tokenSpans(text)];
  return (text) => replace(text, merge([...spansIn(text), ...encodedSpans(text, spansIn)]));
}

/**
 * What is found in the text behind its percent-encoding, and behind that of what was encoded again.
 */
function encodedSpans(text: Chars, spansIn: (text: Chars) => readonly Span[]): readonly Span[] {
  const spans: Span[] = [];
  const layers: Decoded[] = [];
  const place = (at: number): number => layers.reduce((sum, { starts }) => starts[sum] ?? sum, at);
  let inner = percentDecoded(text);
  while (inner !== null && layers.length < mostLayers) {
    layers.unshift(inner);
    for (const { start, end, name } of spansIn(inner.text)) {
      spans.push({ start: place(start), end: place(end), name });
    }
    inner = percentDecoded(inner.text);
  }
  return spans;
}

/** A text that is encoded more often was not encoded by accident. */
const mostLayers = 3;

/** Whether a text contains something of the shape of a token. */
export function redactedShape(text: string): boolean {
  return tokenSpans(text).length > 0;
}

/** Spans in order, those that touch joined. */
function merge(spans: readonly Span[]): readonly Span[] {
  const merged: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last !== undefined && span.start < last.end)
      merged[merged.length - 1] = {
        start: last.start,
        end: Math.max(last.end, span.end),
        name: last.name ?? span.name,
      };
    else merged.push(span);
  }
  return merged;
}

function replace(text: Chars, spans: readonly Span[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, name } of spans) {
    parts.push(text.slice(from, start), name === null ? "[redacted]" : `[redacted ${name}]`);
    from = end;
  }
  parts.push(text.slice(from, text.length));
  return parts.join("");
}
