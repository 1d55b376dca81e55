import { hideSpan, type InlineState } from "./spans.ts";
import type { Scannable } from "./scannable.ts";

/**
 * Hides what one or two `~` strike out and formulas, which stand between one or two `$`, in the
 * paragraph whose marks were collected.
 */
export function hideMarked(state: InlineState, text: Scannable, start: number, end: number): void {
  const { marks, links } = state;
  const strikes: Record<1 | 2, number[]> = { 1: [], 2: [] };
  const formulas: Record<1 | 2, number> = { 1: -1, 2: -1 };
  let link = 0;
  for (let i = 0; i < marks.length; i += 2) {
    const at = marks[i] ?? 0;
    const length = marks[i + 1] ?? 0;
    while (link < links.length && (links[link + 1] ?? 0) <= at) link += 2;
    // A mark inside of a link has its partner there, and a link is hidden whole.
    if ((length !== 1 && length !== 2) || (link < links.length && (links[link] ?? 0) <= at))
      continue;
    const before = sideOf(text, at - 1, start, end);
    const after = sideOf(text, at + length, start, end);
    if (text.charCodeAt(at) === 36 /* $ */) {
      const opened = formulas[length];
      const closes = opened !== -1 && (length === 2 || (before !== "gap" && after !== "word"));
      if (closes) hideSpan(state, opened, at + length);
      // What a price or a variable begins with opens a formula, too, unless a later sign does.
      const opens = length === 2 || (before !== "word" && after !== "gap");
      if (closes || opens) formulas[length] = closes ? -1 : at;
      continue;
    }
    const opened =
      before === "word" || (before === "sign" && after !== "word")
        ? strikes[length].pop()
        : undefined;
    if (opened !== undefined) hideSpan(state, opened, at + length);
    else if (after === "word" || (after === "sign" && before !== "word")) strikes[length].push(at);
  }
}

/** What stands beside a mark, by which it may open or close. */
function sideOf(text: Scannable, at: number, start: number, end: number): "word" | "sign" | "gap" {
  if (at < start || at >= end) return "gap";
  const code = text.charCodeAt(at);
  if (code < 128)
    return code <= 32
      ? "gap"
      : (code >= 48 && code <= 57) || ((code | 32) >= 97 && (code | 32) <= 122)
        ? "word"
        : "sign";
  const character = String.fromCharCode(code);
  return /\s/u.test(character) ? "gap" : /[\p{P}\p{S}]/u.test(character) ? "sign" : "word";
}
