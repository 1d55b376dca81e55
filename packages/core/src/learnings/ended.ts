import { idText } from "./block.ts";
import type { Candidate } from "./candidate.ts";
import { classify } from "./classify.ts";
import { endedBy, type Learning, lineTakenOut } from "./learning.ts";
import { normalForm } from "./normal-form.ts";
import type { Known } from "./plan.ts";
import { saysTheSame } from "./write-gate.ts";

/**
 * Whether a learning, also one that has ended, rests on a candidate: it was met in that run, and says, said, or was ended by the same. A
 * candidate that was known already left its run alone, in whatever words it said it.
 */
export function rests({ text, earlier, sources }: Learning, candidate: Pick<Candidate, "workItem" | "run" | "text">): boolean {
  if (!sources.some(({ workItem, run }) => workItem === candidate.workItem && run === candidate.run)) return false;
  const said = [text, ...earlier.map((each) => (each.startsWith(endedBy) ? each.slice(endedBy.length) : each))];
  return said.some((each) => saysWhat(candidate.text, each));
}

/** Whether a text says what another one says: by the rules of occurrences, or as what is known. */
function saysWhat(text: string, said: string): boolean {
  if (saysTheSame(normalForm(said), normalForm(text))) return true;
  const { op, needsReview } = classify(text, [{ id: "said", text: said }]);
  return op === "NOOP" && !needsReview;
}

/** Candidates on which something rested that has ended, and nothing rests that stands: they come from a checkout that is gone, and begin nothing anew. */
export function spentOn(learnings: readonly Learning[], candidates: readonly Candidate[]): { readonly known: readonly Known[]; readonly left: readonly Candidate[] } {
  const [gone, standing] = [learnings.filter(hasEnded), learnings.filter((each) => !hasEnded(each))];
  const spent = candidates.flatMap((candidate) => {
    const on = gone.find((each) => rests(each, candidate));
    return on === undefined || standing.some((each) => rests(each, candidate)) ? [] : [{ candidate, on }];
  });
  const taken = new Set(spent.map(({ candidate }) => candidate));
  const known = gone.flatMap((on) => {
    const ids = spent.filter((each) => each.on === on).map(({ candidate }) => candidate.id);
    return ids.length === 0 ? [] : [{ candidates: ids, rule: endOf(on) }];
  });
  return { known, left: candidates.filter((each) => !taken.has(each)) };
}

/** The learning that says the same as a text and that a person ended; it stays so. */
export function endedByPerson(learnings: readonly Learning[], text: string): Learning | undefined {
  return learnings.find((each) => isEndedByPerson(each) && saysWhat(text, each.text));
}

/** A learning that ended, in words of the list of what is known. */
export function endOf(learning: Learning): string {
  return `[${idText(learning.id)}], which ${isEndedByPerson(learning) ? "a person ended" : "ended"},`;
}

export function isEndedByPerson({ status, earlier }: Pick<Learning, "status" | "earlier">): boolean {
  return status === "retired" && earlier.at(-1) === lineTakenOut;
}

function hasEnded({ status }: Learning): boolean {
  return status === "retired" || status === "superseded";
}
