import { quotedSpans } from "./own-words.ts";

/** A piece of a comment or description: its author's own words, or what they quote. */
export type Part = { readonly text: string; readonly isQuoted: boolean };

/**
 * A text in the pieces of which it is made, which are the whole of it: own words, what a page shows
 * as quoted, and the mail below an answer, a signature included. Blank pieces belong to the one
 * before them, and so do blank lines behind a quote.
 */
export function partsOf(body: string): readonly Part[] {
  const parts: { text: string; isQuoted: boolean }[] = [];
  for (const { text, isQuoted } of piecesOf(body)) {
    const last = parts.at(-1);
    if (last !== undefined && (last.isQuoted === isQuoted || text.trim() === "")) last.text += text;
    // What is blank at the beginning belongs to what follows.
    else if (last?.text.trim() === "") Object.assign(last, { text: last.text + text, isQuoted });
    else if (text !== "") parts.push({ text, isQuoted });
  }
  return parts;
}

function piecesOf(body: string): readonly Part[] {
  const bounds = [0, ...quotedSpans(body), body.length];
  return bounds.slice(1).flatMap((end, i) => {
    const text = body.slice(bounds[i], end);
    const isQuoted = i % 2 === 1;
    const blank = isQuoted ? "" : (/^(?:[ \t]*(?:\r\n?|\n))*/.exec(text)?.[0] ?? "");
    return [blank, text.slice(blank.length)].map((piece) => ({ text: piece, isQuoted }));
  });
}
