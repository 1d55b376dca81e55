import type { NormalForm, Token } from "./normal-form.ts";
import { alike, containment, type Weigh } from "./similarity.ts";
import { slotOf } from "./slot.ts";

/**
 * How much of what two facts are about they share, and of what they say of it: from 0 to 1, 0.5
 * where nobody can tell.
 */
export function compareSlots(
  candidate: NormalForm,
  fact: NormalForm,
  weigh: Weigh,
): {
  readonly subject: number;
  readonly value: number;
  readonly sameSubject: number;
  readonly sameValue: number;
} {
  const [mine, theirs] = [slotOf(candidate), slotOf(fact)];
  if (mine === null || theirs === null)
    return { subject: 0.5, value: 0.5, sameSubject: 0, sameValue: 0 };
  const subject = mutual(mine.subject, theirs.subject, weigh);
  const value = mutual(mine.value, theirs.value, weigh);
  return {
    subject,
    value,
    sameSubject: subject > 0.8 && value < 0.8 ? 1 : 0,
    sameValue: value > 0.8 && subject < 0.8 ? 1 : 0,
  };
}

/**
 * Both claim the same of two things with one word each: "dashboards need a link" and "alerts need a
 * link".
 */
export function differInSubject(candidate: NormalForm, fact: NormalForm, value: number): boolean {
  const [mine, theirs] = [slotOf(candidate), slotOf(fact)];
  const [one, other] = [mine?.subject[0], theirs?.subject[0]];
  if (
    mine?.shape !== "claim" ||
    theirs?.shape !== "claim" ||
    mine.subject.length !== 1 ||
    theirs.subject.length !== 1
  )
    return false;
  return value > 0.8 && one !== undefined && other !== undefined && alike(one, other) === 0;
}

function mutual(one: readonly Token[], other: readonly Token[], weigh: Weigh): number {
  return (containment(one, other, weigh) + containment(other, one, weigh)) / 2;
}

/**
 * What the one forbids, the other turns down beside what it wants: "never overwrite" and "write
 * anew, and never overwrite".
 */
export function denyTheSame(candidate: NormalForm, fact: NormalForm, weigh: Weigh): boolean {
  return (
    (candidate.negative && !fact.negative && isDenied(fact.rejected, candidate, weigh)) ||
    (fact.negative && !candidate.negative && isDenied(candidate.rejected, fact, weigh))
  );
}

/** Whether a fact denies what some words name. */
export function isDenied(
  named: readonly Token[],
  { negative, main, rejected }: NormalForm,
  weigh: Weigh,
): boolean {
  return containment(named, negative ? [...main, ...rejected] : rejected, weigh) > 0.6;
}
