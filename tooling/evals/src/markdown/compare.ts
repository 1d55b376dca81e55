import { defaultWords } from "@loopwork/core";
import { closingReferences, readControl } from "@loopwork/core/keywords";
import { visibleByReference, visibleWords } from "./renderer.ts";

const scope = { owner: "octo", repo: "shop", defaultHost: "github.com" };

/**
 * What the product and the page of a document disagree on, by the numbers of its words: `acts`
 * counts what is not shown, `silent` ignores what is.
 */
export type Comparison = {
  readonly shown: number;
  readonly acts: readonly number[];
  readonly silent: readonly number[];
};

/**
 * Reads a document as the text of a pull request, and as a comment in which one of its words is a
 * command.
 */
export function compare(text: string): Comparison {
  const shown = numbersIn(visibleWords(text));
  const ours = closingReferences(text, scope);
  const acts = ours.filter((number) => !shown.includes(number));
  const silent = shown.filter((number) => !ours.includes(number));
  const command = (text.length % wordsIn(text)) + 1;
  const isHeard = readControl(withCommand(text, command), defaultWords.keywords).kind === "command";
  if (isHeard !== shown.includes(command)) (isHeard ? acts : silent).push(command);
  return { shown: shown.length, acts: [...new Set(acts)], silent: [...new Set(silent)] };
}

function numbersIn(words: string): readonly number[] {
  return [...words.matchAll(/(?<!\w)fixes #([1-9])\./g)].map(([, number]) => Number(number));
}

function wordsIn(text: string): number {
  return Math.max(1, text.match(/fixes #[1-9]\./g)?.length ?? 0);
}

function withCommand(text: string, number: number): string {
  // A dot before a keyword makes a name of it, as in `.loop`.
  return text.replaceAll(/fixes #([1-9])\./g, (_found, digit) =>
    Number(digit) === number ? "loop start!" : `fixes n${digit}!`,
  );
}

/** Why the two may differ; each is described in ADR 0015. */
export type Explanation =
  | "read as CommonMark's reference parser does"
  | "an element that hides is open"
  | "marks in an HTML block"
  | "a tag or declaration without an end"
  | "a tag that closes a quote"
  | "a formula"
  | "joined to a word"
  | "marks that cross"
  | "a tag as the head of a table"
  | "nothing";

/**
 * What explains the differences on a document. Acting on hidden words is explained only by the
 * reference parser doing the same.
 */
export function explain(text: string, { acts, silent }: Comparison): Explanation {
  const byReference = numbersIn(visibleByReference(text));
  if (
    acts.every((number) => byReference.includes(number)) &&
    silent.every((number) => !byReference.includes(number))
  )
    return "read as CommonMark's reference parser does";
  if (acts.length > 0) return "nothing";
  if (
    /<(?:del|s|strike|tt|kbd|samp|q|a|code|pre|blockquote|template|title|textarea|script)[\s/>]/i.test(
      text,
    ) ||
    /<(?:var|cite|bdo|ruby|rt)[\s/>]|<p hidden|<span style|<table/i.test(text)
  )
    return "an element that hides is open";
  if (/<[!?]|<i a=|<i (?![^<>]*>)/.test(text)) return "a tag or declaration without an end";
  // In a browser the end of what is open around a quote is the end of the quote as well.
  if (/<\/blockquote>|^[ \t]*(?:[-*+] )?>.*<\/[a-z]/im.test(text))
    return "a tag that closes a quote";
  if (/\$[^$]*\$/.test(text)) return "a formula";
  if (/\w(?:<[^>]*>|[*~])+fixes|<\/?\w+(?:<[^>]*>|[*~])+fixes/.test(text))
    return "joined to a word";
  // The renderer lets such a tag begin an HTML block in the middle of a paragraph.
  if (/<\/?[a-z][^>\n]*>[ \t]*\r?\n[| ]*:?-/i.test(text)) return "a tag as the head of a table";
  // Emphasis that begins before what strikes out and ends in it keeps it from striking out.
  if (/[*_]~|~[*_]/.test(text)) return "marks that cross";
  return /<\/?[a-z]/i.test(text) && /[`~[]/.test(text) ? "marks in an HTML block" : "nothing";
}
