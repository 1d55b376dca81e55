import { withoutMail } from "./own-words.ts";

/** A piece of a comment: its author's own words, or what they quote. */
export type Part = { readonly text: string; readonly isQuoted: boolean };

/**
 * A comment in the pieces of which it is made, which are the whole of it: own words, lines that
 * are marked as quoted, and the mail below an answer, a signature included. Blank pieces belong to
 * the one before them.
 */
export function partsOf(body: string): readonly Part[] {
  const own = withoutMail(body).length;
  const parts: { text: string; isQuoted: boolean }[] = [];
  const pieces = [...markedParts(body.slice(0, own)), quoted(body.slice(own))];
  for (const { text, isQuoted } of pieces) {
    const last = parts.at(-1);
    if (last !== undefined && (last.isQuoted === isQuoted || text.trim() === "")) last.text += text;
    // What is blank at the beginning belongs to what follows.
    else if (last?.text.trim() === "") Object.assign(last, { text: last.text + text, isQuoted });
    else if (text !== "") parts.push({ text, isQuoted });
  }
  return parts;
}

const quoted = (text: string): Part => ({ text, isQuoted: true });

/** A quote goes on to the next blank line, marked or not, as a page shows it. In code nothing is one. */
function markedParts(text: string): readonly Part[] {
  if (!text.includes(">")) return [{ text, isQuoted: false }];
  let state: Reading = "own";
  return linesOf(text).map((line) => {
    state = next(state, line);
    const isQuoted = state === "marked" || state === "element";
    if (state === "element" && /<\/blockquote/i.test(line)) state = "own";
    return { text: line, isQuoted };
  });
}

/** Lines with what ends them. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** `code` is the fence that ends it. */
type Reading = "own" | "marked" | "element" | { readonly code: string };

function next(state: Reading, line: string): Reading {
  if (typeof state === "object") return line.trim().startsWith(state.code) ? "own" : state;
  if (state === "element") return state;
  if (/^ {0,3}>/.test(line)) return "marked";
  if (state === "marked" && line.trim() !== "") return state;
  if (/^ {0,3}<blockquote/i.test(line)) return "element";
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
  return fence === undefined ? "own" : { code: fence };
}
