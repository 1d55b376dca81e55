import { type Candidate, occurrenceOf } from "./candidate.ts";
import { type NormalForm, normalForm } from "./normal-form.ts";
import { areSiblings } from "./slot.ts";
import { containment, type Weigh } from "./similarity.ts";

/** Candidates that say the same, and in how many runs of work items that was seen. */
export type Cluster = {
  /**
   * The earliest one. What is the same as it joins; what is only the same as another member does
   * not, so that nothing chains.
   */
  readonly medoid: Candidate;
  readonly members: readonly Candidate[];
  /** Distinct pairs of work item and run. */
  readonly seen: number;
};

export type Gate = {
  readonly open: readonly Cluster[];
  readonly waiting: readonly Cluster[];
  readonly expired: readonly Candidate[];
};

/** A mistake is made three times at most. */
export const opensAt = 3;
const expiresAfterMs = 90 * 24 * 60 * 60 * 1000;
/** Least share of content that two candidates have in common, both ways, to be one. */
const sameFrom = 0.6;

/**
 * Which candidates may become learnings now, which wait for another occurrence, and which waited
 * too long. `now` in milliseconds since 1970.
 */
export function writeGate(candidates: readonly Candidate[], now: number): Gate {
  const [expired, fresh] = [
    candidates.filter(({ at }) => now - at > expiresAfterMs),
    candidates.filter(({ at }) => now - at <= expiresAfterMs),
  ];
  const clusters = clustersOf(fresh);
  return {
    open: clusters.filter(passes),
    waiting: clusters.filter((each) => !passes(each)),
    expired,
  };
}

/** Groups candidates, the earliest first; each stands in exactly one group. */
export function clustersOf(candidates: readonly Candidate[]): readonly Cluster[] {
  const groups: { readonly form: NormalForm; readonly members: Candidate[] }[] = [];
  for (const candidate of candidates.toSorted(byAge)) {
    const form = normalForm(candidate.text);
    const group = groups.find((each) => saysTheSame(each.form, form));
    if (group === undefined) groups.push({ form, members: [candidate] });
    else group.members.push(candidate);
  }
  return groups.flatMap(({ members }) =>
    members[0] === undefined
      ? []
      : [
          {
            medoid: members[0],
            members,
            seen: new Set(members.map(({ workItem, run }) => `${workItem}|${run}`)).size,
          },
        ],
  );
}

/**
 * Whether two facts are one: identifiers and polarity must agree, and most of the content; of two
 * that end something, most of what ends.
 */
export function saysTheSame(one: NormalForm, other: NormalForm): boolean {
  if (
    one.negative !== other.negative ||
    one.retires !== other.retires ||
    one.permits !== other.permits
  )
    return false;
  if (one.key === other.key) return true;
  if (areSiblings(one, other)) return false;
  if (one.identifiers.join(" ").toLowerCase() !== other.identifiers.join(" ").toLowerCase())
    return false;
  const [mine, theirs] = one.retires ? [one.gone, other.gone] : [one.content, other.content];
  return (
    containment(mine, theirs, plain) >= sameFrom && containment(theirs, mine, plain) >= sameFrom
  );
}

const plain: Weigh = ({ filler }) => (filler ? 0 : 1);

function passes({ members, seen }: Cluster): boolean {
  return (
    seen >= opensAt ||
    members.some(({ severity, severityReason }) => severity === "high" && severityReason !== null)
  );
}

function byAge(one: Candidate, other: Candidate): number {
  return (
    one.at - other.at || (occurrenceOf(one) + one.id < occurrenceOf(other) + other.id ? -1 : 1)
  );
}
