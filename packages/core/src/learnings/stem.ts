import { synonymGroups } from "./lexicon.ts";

/** A light suffix stem, and then the word that stands for its group of synonyms. */
export function stem(word: string): string {
  const bare = suffixes(word.endsWith("'s") ? word.slice(0, -2) : word);
  return synonyms.get(bare) ?? bare;
}

function suffixes(word: string): string {
  if (word.length <= 3) return word;
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (word.endsWith("s") && !/(?:ss|us|is)$/u.test(word)) return suffixes(word.slice(0, -1));
  if (word.endsWith("ing") && word.length > 5) return withoutE(undoubled(word.slice(0, -3)));
  if (word.endsWith("ed") && word.length > 4) return withoutE(undoubled(word.slice(0, -2)));
  if (word.endsWith("ly") && word.length > 5) return withoutE(word.slice(0, -2));
  return withoutE(word);
}

function withoutE(word: string): string {
  return word.endsWith("e") && word.length > 3 ? word.slice(0, -1) : word;
}

/** running → run, but not passing → pas. */
function undoubled(word: string): string {
  return /([bdgkmnprtv])\1$/u.test(word) ? word.slice(0, -1) : word;
}

/** For each stem the one that stands for its group. */
const synonyms: ReadonlyMap<string, string> = new Map(
  synonymGroups
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [head = "", ...others] = line.trim().split(" ");
      return others.map((other): [string, string] => [suffixes(other), suffixes(head)]);
    }),
);
