import { clausesOf, type WordList } from "./clauses.ts";
import { writtenOut } from "./lexicon.ts";
import { copulas, goneIn } from "./retirement.ts";

/**
 * What a fact denies. Only the clause that carries the fact counts: "use A, not B" tells to use A,
 * and "so that nothing is flooded" tells nothing.
 */
export type Polarity = {
  /** The main clause forbids something, or says that it is not so. */
  readonly negative: boolean;
  /**
   * It is an order not to: "do not", "never", "must not". What is only described as absent is no
   * order.
   */
  readonly prohibits: boolean;
  /** It says that what held does no longer hold. */
  readonly retires: boolean;
  /** Words for what no longer holds; none where nothing ends. */
  readonly gone: readonly string[];
  /** It is only said to be absent, "is not used", which is no end of what forbids it. */
  readonly absent: boolean;
  /** It allows something. */
  readonly permits: boolean;
  /** Words of the clause that carries the fact. */
  readonly main: readonly string[];
  /** Words of what is named only to be turned down: "not B", "instead of B", "rather than B". */
  readonly rejected: readonly string[];
};

/** Reads what a fact denies, from its text with contractions written out. */
export function polarityOf(text: string): Polarity {
  const plain = text.split(/\s/u).map(writtenOut).join(" ");
  const clauses = clausesOf(plain);
  const said = clauses.filter(({ condition }) => !condition);
  const main =
    (
      said.find(
        ({ words }, at) =>
          words.length > 1 && (at === 0 ? clauses[0] === said[0] || !isAfterthought(words) : true),
      ) ?? clauses[0]
    )?.words ?? [];
  const end = main.findIndex((word, at) => turnsDown(main, at) && at > 0);
  const kept = end === -1 ? main : main.slice(0, end);
  const gone = said.map(({ words }) => goneIn(words)).find((ending) => ending !== null);
  const negative = kept.some((word, at) => denies(kept, at)) && !isBound(kept);
  return {
    negative,
    prohibits: negative && isOrder(kept),
    retires: gone !== undefined,
    gone: gone?.words ?? [],
    absent: gone?.absent === true,
    permits: !negative && said.some(({ words }) => permits(words)),
    main: kept,
    rejected: clauses.flatMap(({ words }) => rejectedIn(words)),
  };
}

/** Two words that deny, such as ", not elsewhere", behind a sentence that says the fact itself. */
function isAfterthought(words: readonly string[]): boolean {
  return words.length < 3 && deniers.has(words[0]);
}

const deniers: WordList = new Set([
  "not",
  "no",
  "never",
  "avoid",
  "forbidden",
  "prohibited",
  "disallowed",
  "banned",
  "nobody",
  "nothing",
  "none",
  "cannot",
  "refrain",
  "neither",
]);

/** "No matter", "no doubt". */
const harmless: WordList = new Set(["matter", "doubt"]);

function denies(words: readonly string[], at: number): boolean {
  const word = words[at];
  return (
    deniers.has(word) &&
    !(word === "not" && words[at + 1] === "only") &&
    !(word === "no" && harmless.has(words[at + 1]))
  );
}

/** "Not more than 40" sets a bound, as "at most 40" does, and denies nothing. */
function isBound(words: readonly string[]): boolean {
  return words.some(
    (word, at) =>
      (word === "exceed" ||
        word === "exceeds" ||
        (comparing.has(word) && words[at + 1] === "than")) &&
      words.slice(at).some((each) => /\d/u.test(each)),
  );
}

const comparing: WordList = new Set([
  "more",
  "longer",
  "larger",
  "bigger",
  "higher",
  "greater",
  "later",
  "older",
  "fewer",
  "less",
  "shorter",
  "smaller",
  "lower",
  "earlier",
]);

const orders: WordList = new Set(["must", "should", "may", "shall", "can", "do", "need"]);

function isOrder(words: readonly string[]): boolean {
  const at = words.findIndex((word) => deniers.has(word));
  if (
    at === 0 ||
    words.some((word) =>
      ["never", "avoid", "forbidden", "prohibited", "disallowed", "banned"].includes(word),
    )
  )
    return true;
  return words[at] === "not" && orders.has(words[at - 1]);
}

/** "Not" before these turns down where, when or how alone. */
const narrowing: WordList = new Set([
  "after",
  "before",
  "for",
  "on",
  "in",
  "by",
  "with",
  "from",
  "to",
  "just",
  "only",
]);

/** Where a main clause turns to what it does not want. */
function turnsDown(words: readonly string[], at: number): boolean {
  const [word, next] = [words[at], words[at + 1]];
  if (
    (word === "instead" && next === "of") ||
    (word === "rather" && next === "than") ||
    word === "without"
  )
    return true;
  if ((word === "and" || word === "but") && deniers.has(next)) return true;
  return (
    word === "not" &&
    narrowing.has(next) &&
    !orders.has(words[at - 1]) &&
    !copulas.has(words[at - 1])
  );
}

function rejectedIn(words: readonly string[]): readonly string[] {
  const at = words.findIndex(
    (word, place) =>
      turnsDown(words, place) || (place === 0 && (word === "not" || word === "never")),
  );
  return at < 0 ? [] : words.slice(at + 1);
}

const fine: WordList = new Set([
  "allowed",
  "fine",
  "ok",
  "okay",
  "permitted",
  "acceptable",
  "safe",
  "welcome",
  "possible",
  "legal",
  "supported",
]);

/** "Can" with these allows; else it tells what is possible. */
const allowing: WordList = new Set(["be", "now", "again", "use", "safely"]);

/** Who "only" may do something restricts it. */
function permits(words: readonly string[]): boolean {
  return (
    !words.includes("only") &&
    words.some((word, at) => {
      const next = words[at + 1];
      if (word === "may" || (word === "can" && allowing.has(next))) return true;
      return copulas.has(word) && words.slice(at + 1, at + 4).some((each) => fine.has(each));
    })
  );
}
