/**
 * A part of a sentence: its words in lower case, and whether it only says under which condition the
 * rest holds.
 */
export type Clause = { readonly words: readonly string[]; readonly condition: boolean };

const conditions: ReadonlySet<string> = new Set([
  "if",
  "when",
  "whenever",
  "after",
  "before",
  "once",
  "unless",
  "until",
  "while",
  "because",
  "since",
  "so",
  "except",
  "as",
]);
/**
 * In the middle of a clause these mostly belong to a noun: "the gate before merging was removed".
 */
const prepositions: ReadonlySet<string> = new Set([
  "before",
  "after",
  "since",
  "as",
  "until",
  "except",
  "so",
]);
const relatives: ReadonlySet<string> = new Set(["that", "which", "who", "where", "whose"]);

/** A list of words in which any place of a clause can be looked up, also one behind its end. */
export type WordList = ReadonlySet<string | undefined>;

/**
 * Splits a fact into clauses, at punctuation and at words that begin a side clause. Quoted words
 * belong to nobody's voice and are left out.
 */
export function clausesOf(text: string): readonly Clause[] {
  const clauses: { words: string[]; condition: boolean }[] = [];
  let open: { words: string[]; condition: boolean } | null = null;
  for (const raw of unquoted(text).split(/\s/u)) {
    const word = raw
      .toLowerCase()
      .replace(/^[([{]/u, "")
      .replace(/[)\]},;:.!?]{1,3}$/u, "");
    const begins: boolean =
      (conditions.has(word) && (open === null || !prepositions.has(word))) ||
      (relatives.has(word) && open !== null && open.words.length > 0 && !isClaim(open.words));
    if (open === null || begins || /^[([{\u2013\u2014]/u.test(raw))
      clauses.push((open = { words: [], condition: begins }));
    if (word !== "") open.words.push(word);
    if (/[,;:.!?)\]}]$/u.test(raw)) open = null;
  }
  return clauses.filter(({ words }) => words.length > 0);
}

/** "It is wrong that X" says something of X and is no side clause. */
function isClaim(words: readonly string[]): boolean {
  return words[0] === "it" && (words[1] === "is" || words[1] === "was");
}

function unquoted(text: string): string {
  return text.replaceAll(/"[^"]{0,300}"|(?<=\s)'[^']{0,300}'/gu, " ");
}
