import type { WordList } from "./clauses.ts";

/**
 * Reads that something which held does no longer hold: "X was removed", "X is obsolete", "no
 * longer", "any more", "no need to", "X is not needed", "stop doing X", "we dropped X".
 *
 * @param words one clause in lower case
 * @returns the words for what is gone, and whether it is only said to be absent; null where the
 * clause ends nothing
 */
export function goneIn(
  words: readonly string[],
): { readonly words: readonly string[]; readonly absent: boolean } | null {
  const at = words.findIndex((_, place) => endsAt(words, place) && !isAside(words, place));
  const told = toldGone(words, at);
  return told === null ? null : { words: told, absent: isAbsent(words, at) };
}

function toldGone(words: readonly string[], at: number): readonly string[] | null {
  const [first, second, third, fourth] = words;
  if (first === "stop" || first === "forget" || first === "disregard")
    return words.length > 2 && (first !== "stop" || second?.endsWith("ing") === true)
      ? words.slice(1)
      : null;
  if (first === "it" && second === "is" && untrue.has(third)) return words.slice(3);
  if (first === "it" && second === "is" && third === "not" && fourth === "true")
    return words.slice(4);
  if (teams.has(first) && gaveUp.has(second)) return words.slice(2);
  if (at < 0) return null;
  const before = words
    .slice(0, at)
    .filter(
      (word) =>
        !teams.has(word) &&
        word !== "there" &&
        !copulas.has(word) &&
        !goneWords.has(word) &&
        !former.has(word),
    );
  return before.length > 0 ? before : words.slice(at);
}

const untrue: WordList = new Set(["wrong", "false", "untrue"]);
const teams: WordList = new Set(["we", "they"]);
const gaveUp: WordList = new Set([
  "dropped",
  "removed",
  "deleted",
  "retired",
  "abandoned",
  "deprecated",
  "discontinued",
  "decommissioned",
  "scrapped",
  "ditched",
  "stopped",
  "eliminated",
  "withdrew",
  "revoked",
  "reverted",
  "killed",
]);

export const copulas: WordList = new Set([
  "is",
  "are",
  "was",
  "were",
  "be",
  "been",
  "became",
  "become",
  "becomes",
  "got",
  "gets",
  "now",
]);
const adverbs: WordList = new Set([
  "completely",
  "fully",
  "entirely",
  "finally",
  "all",
  "now",
  "since",
  "also",
  "already",
  "both",
  "long",
  "simply",
  "permanently",
  "recently",
  "officially",
  "therefore",
  "thus",
  "totally",
]);
const goneWords: WordList = new Set([
  "removed",
  "deleted",
  "dropped",
  "retired",
  "gone",
  "obsolete",
  "outdated",
  "discontinued",
  "decommissioned",
  "abandoned",
  "superseded",
  "deprecated",
  "unused",
  "unneeded",
  "unnecessary",
  "redundant",
  "reverted",
  "killed",
  "dead",
  "wrong",
  "false",
  "incorrect",
  "untrue",
  "moot",
  "stale",
  "lifted",
  "withdrawn",
  "revoked",
  "scrapped",
  "eliminated",
  "sunset",
  "disbanded",
  "ripped",
]);
const lostVerbs: WordList = new Set([
  "needed",
  "required",
  "necessary",
  "used",
  "supported",
  "exist",
  "exists",
  "apply",
  "applies",
  "hold",
  "holds",
  "true",
  "available",
  "maintained",
  "there",
  "valid",
]);

/** What is gone is often called so before that is said. */
const former: WordList = new Set(["old", "legacy", "former", "previous", "earlier"]);

/** Whether the words that end something begin at a place of a clause. */
function endsAt(words: readonly string[], at: number): boolean {
  const [word, next] = [words[at], words[at + 1]];
  if (word === "anymore" || (word === "any" && (next === "more" || next === "longer"))) return true;
  if (word === "no" && (next === "longer" || next === "need" || (next === "more" && at > 0)))
    return true;
  if ((word === "needs" || word === "need") && next === "no") return true;
  if (word === "went" && next === "away") return true;
  if (isAbsent(words, at)) return true;
  if (!copulas.has(word)) return false;
  const after = words.slice(at + 1, at + 4).find((each) => !adverbs.has(each));
  if (isHabit(word, after === undefined ? undefined : words[words.indexOf(after, at) + 1]))
    return false;
  return (
    goneWords.has(after) ||
    (after === "phased" && words.includes("out")) ||
    (after === "shut" && words.includes("down"))
  );
}

/**
 * "Flags are removed after launch" tells what is done again and again; "the flag was removed" tells
 * an end.
 */
function isHabit(copula: string | undefined, next: string | undefined): boolean {
  return (copula === "is" || copula === "are") && habits.has(next);
}

const habits: WordList = new Set([
  "only",
  "after",
  "before",
  "when",
  "whenever",
  "once",
  "if",
  "unless",
  "by",
  "at",
  "on",
  "every",
  "each",
  "automatically",
  "daily",
  "weekly",
  "monthly",
]);

/** "Is not used", "does not exist". */
function isAbsent(words: readonly string[], at: number): boolean {
  const before = words[at - 1];
  return (
    words[at] === "not" &&
    (copulas.has(before) || before === "does" || before === "do") &&
    lostVerbs.has(words[at + 1]) &&
    at + 2 >= words.length
  );
}

/**
 * What ends stands in a side clause of its own: "ask before a column is removed" ends nothing, "the
 * gate before merging was removed" does.
 */
function isAside(words: readonly string[], at: number): boolean {
  const marker = words.slice(0, at).findLastIndex((word) => asides.has(word));
  return marker > 0 && words.slice(marker + 1, at).some((word) => ownSubjects.has(word));
}

const asides: WordList = new Set([
  "before",
  "after",
  "until",
  "once",
  "when",
  "while",
  "if",
  "unless",
]);
const ownSubjects: WordList = new Set([
  "a",
  "an",
  "the",
  "any",
  "each",
  "every",
  "it",
  "they",
  "something",
  "anything",
  "everything",
  "someone",
]);
