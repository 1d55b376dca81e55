import { nothingStuck, onlyAuthorized, oneOwner, refusedQuietly, stored } from "./deliveries.ts";
import type { Evidence, Invariant } from "./evidence.ts";
import { noSecrets, noStrayWrites, oneProcess, postedOnce, saidOnce, trustKept } from "./traces.ts";

/**
 * Every invariant, by the number that it has in the reliability page; I12, memory and descriptors,
 * is the soak's.
 */
const invariants: readonly Invariant[] = [
  stored,
  saidOnce,
  oneProcess,
  oneOwner,
  refusedQuietly,
  onlyAuthorized,
  noStrayWrites,
  trustKept,
  noSecrets,
  nothingStuck,
  postedOnce,
];

/** What is wrong with what a run left behind, a sentence each; nothing when all is well. */
export function check(evidence: Evidence): readonly string[] {
  return invariants.flatMap((invariant) => invariant(evidence));
}
