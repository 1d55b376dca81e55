import type { NormalForm, Token } from "./normal-form.ts";

/** How much a word says: the rarer in the index, the more. */
export type Weigh = (token: Token) => number;

/**
 * Weights out of the facts that stand together. A word without content weighs nothing, an
 * identifier more than a word.
 */
export function weights(facts: readonly NormalForm[]): Weigh {
  const seen = new Map<string, number>();
  for (const { content } of facts)
    for (const stem of new Set(content.map(({ stem }) => stem)))
      seen.set(stem, (seen.get(stem) ?? 0) + 1);
  return ({ filler, kind, stem }) =>
    filler
      ? 0
      : (kind === "word" ? 1 : 1.3) *
        Math.log(1 + (facts.length + 1) / ((seen.get(stem) ?? 0) + 0.5));
}

/**
 * How alike two tokens are, from 0 to 1: identifiers that share parts, and words that stand inside
 * of an identifier, in part.
 */
export function alike(one: Token, other: Token): number {
  if (one.stem === other.stem) return 1;
  if (one.kind === "word" && other.kind === "word") return sameRoot(one.stem, other.stem) ? 0.8 : 0;
  if (
    one.kind === "number" ||
    other.kind === "number" ||
    one.kind === "version" ||
    other.kind === "version"
  )
    return 0;
  if (isWithin(one.stem, other.stem) || isWithin(other.stem, one.stem)) return 0.85;
  if (one.parts.length > 1 && one.parts.join(" ") === other.parts.join(" ")) return 0.95;
  const shared = one.parts.filter((part) => other.parts.includes(part)).length;
  return (1.4 * shared) / Math.max(1, one.parts.length + other.parts.length);
}

/** Whether a path leads into a folder. */
function isWithin(path: string, folder: string): boolean {
  return folder.includes("/") && path.startsWith(`${folder}/`);
}

/** Derived words of one root: validate and validation, publish and publisher. */
function sameRoot(one: string, other: string): boolean {
  const longest = Math.max(one.length, other.length);
  let common = 0;
  while (common < longest && one.charAt(common) === other.charAt(common)) common += 1;
  return common >= 5 && common >= 0.6 * longest;
}

/** Share of what `inner` says that `outer` says too, from 0 to 1. */
export function containment(
  inner: readonly Token[],
  outer: readonly Token[],
  weigh: Weigh,
): number {
  const all = sum(inner.map(weigh));
  return all === 0 ? 0 : sum(inner.map((token) => weigh(token) * best(token, outer))) / all;
}

/** How alike the most alike of some tokens is. */
export function best(token: Token, among: readonly Token[]): number {
  return Math.max(0, ...among.map((other) => alike(token, other)));
}

/** Dice coefficient of the pairs of neighbouring characters, from 0 to 1. */
export function dice(one: string, other: string): number {
  if (one === other) return 1;
  const [first, second] = [pairs(one), pairs(other)];
  const all = first.length + second.length;
  if (all === 0) return 0;
  const left = [...second];
  let shared = 0;
  for (const pair of first) {
    const at = left.indexOf(pair);
    if (at < 0) continue;
    left.splice(at, 1);
    shared += 1;
  }
  return (2 * shared) / all;
}

function pairs(text: string): readonly string[] {
  return Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2));
}

/** One number for how near two facts are, from 0 to 1: what they share of both, weighed. */
export function nearness(one: NormalForm, other: NormalForm, weigh: Weigh): number {
  const [there, back] = [
    containment(one.content, other.content, weigh),
    containment(other.content, one.content, weigh),
  ];
  return there + back === 0
    ? 0
    : 0.6 * ((2 * there * back) / (there + back)) + 0.4 * Math.max(there, back);
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
