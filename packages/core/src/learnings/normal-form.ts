import { changeCues, exceptionCues, functionWords, reasonCues, writtenOut } from "./lexicon.ts";
import { polarityOf } from "./polarity.ts";
import { stem } from "./stem.ts";

/** What a word of a fact is. Identifiers are compared as they stand, words by their stem. */
export type TokenKind =
  | "word"
  | "number"
  | "version"
  | "path"
  | "flag"
  | "package"
  | "call"
  | "name"
  | "url";

export type Token = {
  readonly kind: TokenKind;
  /** As it is compared: an identifier in its own letters, a word in lower case. */
  readonly text: string;
  /** The stem of a word, or the identifier in lower case: what two facts share. */
  readonly stem: string;
  /** Words inside of an identifier, by stem; of a word itself alone. */
  readonly parts: readonly string[];
  /** Whether it carries no content of its own. */
  readonly filler: boolean;
};

/**
 * One fact as it is compared: its words and identifiers in order, what it denies, and the cues that
 * it holds.
 */
export type NormalForm = {
  readonly tokens: readonly Token[];
  /** Content only, without words that carry none. */
  readonly content: readonly Token[];
  /** Identifiers as they stand, each once, sorted. */
  readonly identifiers: readonly string[];
  /** Whether it says that something is not, or must not be, done. */
  readonly negative: boolean;
  /** Whether it orders not to do something, which only describing an absence does not. */
  readonly prohibits: boolean;
  readonly retires: boolean;
  /** Content of what is said to be gone. */
  readonly gone: readonly Token[];
  /** What is gone is only said to be absent: "is not used". */
  readonly absent: boolean;
  readonly permits: boolean;
  /** Content of the clause that carries the fact. */
  readonly main: readonly Token[];
  /** Content that is named only to be turned down. */
  readonly rejected: readonly Token[];
  /** Content without what only gives a reason: "so that", "because". */
  readonly claim: readonly Token[];
  readonly excepts: boolean;
  /** Whether it says that something became another: "now", "moved", "raised to". */
  readonly changes: boolean;
  /** How many tokens stand before the colon behind a short heading; 0 where there is none. */
  readonly label: number;
  /** How many commas it has: what enumerates has several. */
  readonly commas: number;
  /**
   * Equal for two facts that differ in nothing but letter case, emphasis, punctuation and words
   * without content.
   */
  readonly key: string;
};

/** Longest text that is looked at, in characters. What is longer is no one-line fact. */
export const longestText = 600;

/** Brings one fact into the form in which facts are compared. */
export function normalForm(text: string): NormalForm {
  const said = text
    .slice(0, longestText)
    .normalize("NFKC")
    .replaceAll(/[\u2018\u2019]/gu, "'")
    .replaceAll(/[\u201C\u201D]/gu, '"')
    .replaceAll(/[`*]/gu, " ");
  const plain = said.replaceAll('"', " ");
  const raws = plain.split(/\s/u);
  const tokens = raws.flatMap(expandedTokens);
  const content = tokens.filter(({ filler }) => !filler);
  const { negative, prohibits, retires, gone, absent, permits, main, rejected } = polarityOf(said);
  const ofWords = (some: readonly string[]): readonly Token[] =>
    some.flatMap(tokensOf).filter(({ filler }) => !filler);
  return {
    tokens,
    content,
    identifiers: [
      ...new Set(tokens.filter(({ kind }) => kind !== "word").map(({ text: id }) => id)),
    ].toSorted(),
    negative,
    prohibits,
    retires,
    gone: ofWords(gone),
    absent,
    permits,
    main: ofWords(main),
    rejected: ofWords(rejected),
    label: labelOf(raws),
    commas: said.split(",").length - 1,
    claim: withoutReason(tokens),
    changes: tokens.some(({ text: word }) => changeCues.has(word)),
    excepts: tokens.some(({ text: word }) => exceptionCues.has(word)),
    key: `${negative ? "!" : ""}${content.map(({ stem }) => stem).join(" ")}`,
  };
}

function withoutReason(tokens: readonly Token[]): readonly Token[] {
  const at = tokens.findIndex(({ text }, place) => place > 1 && reasonCues.has(text));
  return tokens.slice(0, at < 0 ? tokens.length : at).filter(({ filler }) => !filler);
}

/** A heading before a colon is short; where more stands there, the colon begins a list. */
const longestLabel = 4;

function labelOf(raws: readonly string[]): number {
  const count = raws
    .slice(0, raws.findIndex((raw) => raw.endsWith(":")) + 1)
    .flatMap(expandedTokens).length;
  return count <= longestLabel ? count : 0;
}

function expandedTokens(raw: string): readonly Token[] {
  return writtenOut(raw).split(" ").flatMap(tokensOf);
}

/**
 * One piece between blanks as tokens: mostly one, several where plain words are joined by slashes
 * or hyphens, none where it is punctuation.
 */
function tokensOf(raw: string): readonly Token[] {
  const bare = trimmed(raw);
  const kind = kindOf(bare);
  if (kind !== "word") return [identifier(kind, bare)];
  return bare
    .split(/[/\-\u2013\u2014,:;+|&]/u)
    .filter((part) => part !== "")
    .map((part) => word(part.toLowerCase()));
}

const opening = "([{<'\"";
const closing = ")]}>'\",.;:!?";

/** Without the punctuation around it; brackets that belong to it stay. */
function trimmed(raw: string): string {
  let from = 0;
  let to = raw.length;
  while (from < to && opening.includes(raw.charAt(from)) && !closesInside(raw.slice(from)))
    from += 1;
  while (to > from && closing.includes(raw.charAt(to - 1)) && !opensInside(raw.slice(from, to)))
    to -= 1;
  return raw.slice(from, to);
}

/** Whether the bracket that a piece begins with is closed before its end: "[id].tsx". */
function closesInside(piece: string): boolean {
  const close = ")]}>"["([{<".indexOf(piece.charAt(0))];
  return (
    close !== undefined &&
    piece.includes(close) &&
    !piece.replace(/[,.;:!?]{1,3}$/u, "").endsWith(close)
  );
}

/** Whether the bracket that a piece ends with is opened in it: "parse(text)". */
function opensInside(piece: string): boolean {
  const close = piece.slice(-1);
  const open = "([{<"[")]}>".indexOf(close)];
  return open !== undefined && piece.split(open).length >= piece.split(close).length;
}

/** What an unbroken piece of text is, by its look alone. */
function kindOf(text: string): TokenKind {
  if (/^https?:\/\//iu.test(text)) return "url";
  if (/^--?[A-Za-z]/u.test(text)) return "flag";
  if (/^@[\w-]{1,60}\/[\w.-]{1,60}$/u.test(text)) return "package";
  if (/^\d[\d,_]{0,20}(?:ms|s|m|h|d|kb|mb|gb|%|px|k)?$/iu.test(text)) return "number";
  if (/^v?\d{1,9}(?:\.\d{1,9}){1,4}[\w.+-]{0,30}$/iu.test(text)) return "version";
  if (isPath(text)) return "path";
  if (/[A-Za-z_\]]\(/u.test(text)) return "call";
  if (
    /[a-z][A-Z]|_|^\.[A-Za-z]|[A-Za-z]\.[A-Za-z]|[A-Za-z]\d|\d[A-Za-z]|[A-Za-z]:[A-Za-z]|[$#<>{}[\]=*]/u.test(
      text,
    ) &&
    !/^(?:e\.g|i\.e)$/iu.test(text)
  )
    return "name";
  return "word";
}

/** Two plain words with a slash between them are a choice and no path. */
function isPath(text: string): boolean {
  if (!text.includes("/") || text.length < 2) return false;
  return (
    !/^[A-Za-z]{1,20}\/[A-Za-z]{1,20}$/u.test(text) ||
    /^(?:src|lib|test|tests|docs|app|bin|packages|scripts|internal|cmd|pkg|tools|config)\//u.test(
      text,
    )
  );
}

function identifier(kind: TokenKind, text: string): Token {
  const parts = text
    .split(/[^A-Za-z0-9]|(?<=[a-z0-9])(?=[A-Z])/u)
    .filter((part) => part.length > 1)
    .map((part) => stem(part.toLowerCase()));
  return { kind, text, stem: text.toLowerCase().replace(/\/$/u, ""), parts, filler: false };
}

function word(text: string): Token {
  const stemmed = stem(text.replaceAll(/[^\p{L}\p{N}']/gu, ""));
  return {
    kind: "word",
    text,
    stem: stemmed,
    parts: [stemmed],
    filler: functionWords.has(text) || stemmed === "",
  };
}
