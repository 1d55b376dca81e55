import { compare, type Explanation, explain } from "./compare.ts";
import { createRandom, makeDocument } from "./documents.ts";

/**
 * What came of comparing many documents. `examples`: the shortest documents for each explanation.
 */
export type FuzzResult = {
  readonly documents: number;
  /** Words on the pages that are the author's own. */
  readonly shown: number;
  /**
   * Documents on which the product would act on words that the page does not show as the author's
   * own.
   */
  readonly acts: number;
  /** Documents on which it would ignore words that the page shows. */
  readonly silent: number;
  readonly explained: Readonly<Record<string, number>>;
  readonly examples: Readonly<Record<string, readonly string[]>>;
  /** Differences that nothing explains: faults. */
  readonly unexplained: readonly string[];
};

export type FuzzOptions = { readonly documents: number; readonly seed: number };

/**
 * Compares what the product reads with what a renderer shows, on documents that are the same for
 * the same seed.
 */
export function fuzzMarkdown({ documents, seed }: FuzzOptions): FuzzResult {
  const random = createRandom(seed);
  const found = new Map<Explanation, string[]>();
  let [shown, acts, silent] = [0, 0, 0];
  for (let i = 0; i < documents; i += 1) {
    const text = makeDocument(random);
    const comparison = compare(text);
    shown += comparison.shown;
    if (comparison.acts.length > 0) acts += 1;
    if (comparison.silent.length > 0) silent += 1;
    if (comparison.acts.length + comparison.silent.length === 0) continue;
    const why = explain(text, comparison);
    found.set(why, [...(found.get(why) ?? []), text]);
  }
  const unexplained = found.get("nothing") ?? [];
  const explained = [...found].filter(([why]) => why !== "nothing");
  return {
    documents,
    shown,
    acts,
    silent,
    explained: Object.fromEntries(explained.map(([why, texts]) => [why, texts.length])),
    examples: Object.fromEntries(explained.map(([why, texts]) => [why, shortest(texts)])),
    unexplained,
  };
}

function shortest(texts: readonly string[]): readonly string[] {
  return texts.toSorted((a, b) => a.length - b.length).slice(0, 3);
}
