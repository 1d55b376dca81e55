import { gap, plainSentences } from "../text/comment-text.ts";
import { whyUnfit } from "./candidate.ts";
import { firstOf, type LeftOut } from "./fitted.ts";
import { oneLine } from "./vocabulary.ts";

const longestText = 20_000;

/**
 * Sentences of a comment that say how things are to be done, at most five; never what it quotes,
 * code, or what only makes sense where it stands ("do not do that here"). `atLeastOne`: where no
 * sentence is of that kind, the first that can stand alone. A rule that cannot be a learning is
 * left out and told; it is not cut, because its end may turn it around.
 */
export function rulesIn(comment: string, atLeastOne: boolean): readonly (string | LeftOut)[] {
  const sentences = ownLines(comment.slice(0, longestText))
    .flatMap(sentencesOf)
    .filter(standsAlone);
  const rules = [...new Set(sentences.filter(isRule))];
  const alone =
    atLeastOne && !rules.some(isFit) ? (sentences.find(isFit) ?? sentences[0]) : undefined;
  const said = [...new Set([...rules, ...(alone === undefined ? [] : [alone])])];
  return [
    ...firstOf(said.filter(isFit), (text) => text),
    ...said.flatMap((text) => refusedAs(text, whyUnfit(text))),
  ];
}

function isFit(sentence: string): boolean {
  return whyUnfit(sentence) === null;
}

function refusedAs(text: string, left: string | null): readonly LeftOut[] {
  return left === null ? [] : [{ text, left }];
}

/** Stands where words of somebody else stood: a sentence around them is no rule of its own. */
const taken = "\u0000";

/**
 * Lines of the author's own visible words, as the scanner of keywords reads them: neither what is
 * quoted, hidden, struck out or of another mail, nor code. A quotation in quotation marks inside of
 * a sentence is somebody else's, too.
 */
function ownLines(comment: string): readonly string[] {
  const own = plainSentences(comment.replaceAll(taken, "")).replaceAll(gap, taken);
  const lines = own.split("\n").map((line) => line.trim());
  return withoutQuotes(lines.join("\n")).split("\n");
}

/**
 * Each pair of marks, and a mark that nothing closes before the paragraph ends. Names in marks, of
 * two words at most, are the author's own.
 */
function withoutQuotes(text: string): string {
  const marks =
    /"[^"]*(?:"|$)|“[^”]*(?:”|$)|«[^»]*(?:»|$)|„[^“”]*(?:[“”]|$)|(?<![\p{L}\p{N}])['‘][^\n]{0,400}?['’](?![\p{L}\p{N}])/gu;
  return text
    .split(/\n{2,}/u)
    .map((paragraph) =>
      paragraph.replaceAll(marks, (quote) => (quote.split(/\s/u).length > 2 ? taken : quote)),
    )
    .join("\n\n");
}

function sentencesOf(line: string): readonly string[] {
  const words = line.replace(/^(?:[-*+]|\d{1,3}[.)]|#{1,6}) /u, "").slice(0, 2_000);
  return words
    .split(/(?<=[.!?]) /u)
    .map((sentence) =>
      clean(sentence)
        .replace(/^please,? /iu, "")
        .replace(/[.!]$/u, ""),
    )
    .map((sentence) => `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}`);
}

/** One line, in which what stands for a quotation is kept. */
function clean(sentence: string): string {
  return sentence.split(taken).map(oneLine).join(taken);
}

function standsAlone(sentence: string): boolean {
  const words = sentence.toLowerCase().split(/[^\p{L}\p{N}']/u);
  return (
    words.length >= 3 &&
    !sentence.includes(taken) &&
    !sentence.endsWith("?") &&
    !sentence.includes("://") &&
    !words.some((word) => pointing.has(word)) &&
    words[1] !== "mind"
  );
}

/** Words that point at what stands around a sentence. */
const pointing: ReadonlySet<string> = new Set([
  "this",
  "that",
  "these",
  "those",
  "here",
  "above",
  "below",
  "again",
  "loop",
]);

/** By its own words: what is code in it says nothing. */
function isRule(sentence: string): boolean {
  const text = ` ${sentence
    .replaceAll(/`[^`]{0,400}`/gu, "``")
    .toLowerCase()
    .replaceAll("’", "'")} `;
  return (
    openings.some((opening) => text.startsWith(` ${opening} `)) ||
    inside.some((words) => text.includes(` ${words} `))
  );
}

const openings = [
  "always",
  "never",
  "do not",
  "don't",
  "use",
  "prefer",
  "avoid",
  "make sure",
  "ensure",
  "remember to",
  "stop",
];
const inside = [
  "must",
  "must not",
  "should",
  "should not",
  "shouldn't",
  "instead of",
  "rather than",
];
