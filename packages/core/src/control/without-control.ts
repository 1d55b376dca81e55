import type { ControlVerb } from "../event/event.ts";
import { controlSpans, hiddenKeyword } from "./keyword.ts";
import { saysSomething } from "../text/says-something.ts";
import { isLineEnd, skipBlanks } from "../text/words.ts";

/**
 * The comment without what `readControl` acts on, so that the rest can be told to a session:
 * keywords, the login of a grant, and addresses are cut where they stand, with the blanks and the
 * punctuation around them. What was on both sides of a cut comes to stand on lines of its own, so
 * that no new keyword forms. Empty where nothing is left but mentions, punctuation, marks of lists
 * and tasks, and a keyword that is quoted or hidden.
 */
export function withoutControl(
  text: string,
  keywords: Readonly<Record<ControlVerb, string>>,
): string {
  const cuts = controlSpans(text, keywords);
  if (cuts.length === 0) return text;
  let rest = "";
  let kept = 0;
  for (const cut of cuts) {
    // An address between the keyword of a grant and its login stands in the cut before.
    if (cut[1] <= kept) continue;
    const { start, end } = withEmphasis(text, cut);
    rest = joined(rest, text.slice(kept, start));
    kept = passPunctuation(text, end);
  }
  rest = joined(rest, text.slice(kept)).trim();
  const isSaid = saysSomething(rest.replaceAll(/@[A-Za-z0-9_-]{1,40}/g, ""));
  return isSaid && hiddenKeyword(rest, keywords)?.alone !== true ? rest : "";
}

/** What is cut, with the emphasis right around it. */
function withEmphasis(
  text: string,
  [start, end]: readonly [start: number, end: number],
): { readonly start: number; readonly end: number } {
  let wide = 0;
  while (
    wide < 3 &&
    emphasis.has(text.charCodeAt(end + wide)) &&
    text.charCodeAt(start - 1 - wide) === text.charCodeAt(end + wide)
  )
    wide += 1;
  return { start: start - wide, end: end + wide };
}

/**
 * Two pieces of a text around a cut: on lines of their own, with the blank lines of the first where
 * it ends in some.
 */
function joined(before: string, after: string): string {
  const head = before.slice(0, blanksFrom(before));
  let tail = after.slice(skipBlanks(after, 0));
  if (head === "" || isLineEnd(head.charCodeAt(head.length - 1))) return head + tail.trimStart();
  if (tail !== "" && !isLineEnd(tail.charCodeAt(0))) tail = `\n${tail}`;
  return head + tail;
}

/** Where the blanks at the end of a text begin. */
function blanksFrom(text: string): number {
  let end = text.length;
  while (end > 0 && skipBlanks(text.charAt(end - 1), 0) === 1) end -= 1;
  return end;
}

/** What ends a sentence or sets off a word right behind a cut belongs to what was cut. */
function passPunctuation(text: string, from: number): number {
  let end = from;
  while (end < text.length && ",.;:!?".includes(text.charAt(end))) end += 1;
  return end;
}

/** `*` and `_`. */
const emphasis: ReadonlySet<number> = new Set([42, 95]);
