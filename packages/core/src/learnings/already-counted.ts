import { idText } from "./block.ts";
import type { Candidate } from "./candidate.ts";
import { classify } from "./classify-against-facts.ts";
import { endedBy, hasEnded, isEndedByPerson, type Learning, wordsOf } from "./learning.ts";
import { normalForm } from "./normal-form.ts";
import { saysTheSame } from "./write-gate.ts";

/**
 * Whether a learning, also one that has ended, rests on a candidate: it was met in that run in
 * these words. A source of an earlier version does not tell its words; then the learning says,
 * said, or was ended by the same.
 */
export function restsOn(
  { text, earlier, sources }: Learning,
  candidate: Pick<Candidate, "workItem" | "run" | "text">,
): boolean {
  const of = sources.find(
    ({ workItem, run }) => workItem === candidate.workItem && run === candidate.run,
  );
  if (of?.words !== undefined) return of.words.includes(wordsOf(candidate.text));
  const said = [
    text,
    ...earlier.map((each) => (each.startsWith(endedBy) ? each.slice(endedBy.length) : each)),
  ];
  return of !== undefined && said.some((each) => saysWhat(candidate.text, each));
}

/** Whether a text says what another one says: by the rules of occurrences, or as what is known. */
function saysWhat(text: string, said: string): boolean {
  if (saysTheSame(normalForm(said), normalForm(text))) return true;
  const { op, needsReview } = classify(text, [{ id: "said", text: said }]);
  return op === "NOOP" && !needsReview;
}

/**
 * Candidates that a learning rests on already, with that learning: one that stands before one that
 * ended.
 */
export type Counted = { readonly learning: Learning; readonly candidates: readonly Candidate[] };

/**
 * Tells candidates that were counted before from the others. They come from a checkout that is
 * gone, or a second time, and begin nothing anew: what ended stays so, and what says something else
 * by now goes on saying it.
 */
export function countedBefore(
  learnings: readonly Learning[],
  candidates: readonly Candidate[],
): { readonly counted: readonly Counted[]; readonly left: readonly Candidate[] } {
  const ranked = learnings.toSorted(
    (one, other) => Number(hasEnded(one)) - Number(hasEnded(other)),
  );
  const by = new Map<Learning, Candidate[]>();
  const left: Candidate[] = [];
  for (const candidate of candidates) {
    const on = ranked.find((each) => restsOn(each, candidate));
    if (on === undefined) left.push(candidate);
    else by.set(on, [...(by.get(on) ?? []), candidate]);
  }
  return { counted: [...by].map(([learning, some]) => ({ learning, candidates: some })), left };
}

/** The learning that says the same as a text and that a person ended; it stays so. */
export function endedByPerson(learnings: readonly Learning[], text: string): Learning | undefined {
  return learnings.find((each) => isEndedByPerson(each) && saysWhat(text, each.text));
}

/**
 * A learning in words of the list of what is known: why candidates that say what it says are none.
 */
export function fateOf(learning: Learning): string {
  const fate = isEndedByPerson(learning)
    ? "a person ended"
    : hasEnded(learning)
      ? "ended"
      : "rests on it";
  return `[${idText(learning.id)}], which ${fate},`;
}
