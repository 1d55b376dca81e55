import type { ControlVerb } from "../event/event.ts";
import { endsWord, lowerCode, skipBlanks, standsAt } from "../text/words.ts";

/** The keywords of a configuration, ready to be searched for. */
export type KeywordTree = {
  readonly steps: readonly KeywordStep[];
  /**
   * Finds, in raw text, keywords and the beginning of an address wherever their letters stand, also
   * inside of other words.
   */
  readonly hint: RegExp;
  /** For each ASCII code: 1 where a keyword or an address may begin with it. */
  readonly first: Uint8Array;
  /** A keyword begins with a character beyond ASCII. */
  readonly beyondAscii: boolean;
};

/**
 * One word of a keyword, and its first character: a leaf has a verb, the words that may follow
 * stand in `next`.
 */
export type KeywordStep = {
  readonly word: string;
  readonly code: number;
  verb: ControlVerb | null;
  readonly next: KeywordStep[];
};

export const addressPrefix = "instance:";

/**
 * The longest keyword that stands at `at`, and where it ends; null when none does. Blanks between
 * words are skipped once.
 */
export function keywordAt(
  text: string,
  at: number,
  steps: readonly KeywordStep[],
): { readonly verb: ControlVerb; readonly end: number } | null {
  const code = lowerCode(text.charCodeAt(at));
  for (const step of steps) {
    if (step.code !== code || !standsAt(text, at, step.word)) continue;
    const end = at + step.word.length;
    if (!endsWord(text, end)) continue;
    const next = skipBlanks(text, end);
    const longer = next > end ? keywordAt(text, next, step.next) : null;
    if (longer !== null) return longer;
    if (step.verb !== null) return { verb: step.verb, end };
  }
  return null;
}

/**
 * The tree of a keyword table. Kept for as long as the table itself, since reading one comment
 * costs less than building it.
 */
export function treeOf(keywords: Readonly<Record<ControlVerb, string>>): KeywordTree {
  const known = trees.get(keywords);
  if (known !== undefined) return known;
  const tree = grow(keywords);
  trees.set(keywords, tree);
  return tree;
}

const trees = new WeakMap<Readonly<Record<ControlVerb, string>>, KeywordTree>();

const verbs = [
  "start",
  "stop",
  "pause",
  "resume",
  "cleanup",
  "add-collaborator",
  "remove-collaborator",
] as const satisfies readonly ControlVerb[];

function grow(keywords: Readonly<Record<ControlVerb, string>>): KeywordTree {
  const steps: KeywordStep[] = [];
  for (const verb of verbs) {
    const words = keywords[verb].split(/[ \t]/).filter((word) => word !== "");
    const last = words.reduce<{ next: KeywordStep[]; step: KeywordStep | null }>(
      ({ next }, word) => descend(next, lowerAscii(word)),
      { next: steps, step: null },
    );
    if (last.step !== null) last.step.verb = verb;
  }
  const beginnings = [...steps.map((step) => step.word), addressPrefix];
  const first = new Uint8Array(128);
  for (const word of beginnings) {
    const code = word.charCodeAt(0);
    if (code >= 128) continue;
    first[code] = 1;
    if (code >= 97 && code <= 122) first[code - 32] = 1;
  }
  const hint = new RegExp([...steps.map(hintOf), escaped(addressPrefix)].join("|"), "i");
  return { steps, hint, first, beyondAscii: beginnings.some((word) => word.charCodeAt(0) >= 128) };
}

/**
 * Pattern of the shortest keywords that begin with this word, whatever stands around them: what
 * goes on is matched by its beginning.
 */
function hintOf({ word, verb, next }: KeywordStep): string {
  return verb === null && next.length > 0
    ? `${escaped(word)}[ \\t]+(?:${next.map(hintOf).join("|")})`
    : escaped(word);
}

function escaped(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

function descend(next: KeywordStep[], word: string): { next: KeywordStep[]; step: KeywordStep } {
  let step = next.find((each) => each.word === word);
  if (step === undefined) {
    step = { word, code: word.charCodeAt(0), verb: null, next: [] };
    next.push(step);
  }
  return { next: step.next, step };
}

function lowerAscii(word: string): string {
  return Array.from({ length: word.length }, (_, i) =>
    String.fromCharCode(lowerCode(word.charCodeAt(i))),
  ).join("");
}
