import { createRandom } from "../random.ts";
import { createDeadStore, type DeadStore } from "./dead-store.ts";
import { mutationOf, type MutationKind } from "./mutations.ts";
import { reopen } from "./reopen.ts";

/**
 * What may be left out: damage then falls on the database's own pages, over which there is no
 * checksum.
 */
export type TornGuard = "checksum";
export const tornGuards: readonly TornGuard[] = ["checksum"];

export type TornRun = {
  readonly mutations: number;
  readonly seed: number;
  readonly without: TornGuard | null;
  readonly say: (text: string) => void;
};

/**
 * `mutations` by what was done, and how many bodies were found out to be damaged, each of which is
 * told in the event log.
 */
export type TornReport = {
  readonly mutations: number;
  readonly seed: number;
  readonly without: TornGuard | null;
  readonly made: Readonly<Record<string, number>>;
  readonly shortened: number;
  readonly damagedBodies: number;
  readonly violations: readonly string[];
};

/**
 * Damages what a dead machine left behind, the write-ahead log and the files with bodies, at random
 * places. What was committed before the damage must be there, nothing may be made up, a damaged
 * body must be told, and the store must go on.
 */
export async function runTorn({ mutations, seed, without, say }: TornRun): Promise<TornReport> {
  const dead: DeadStore = await createDeadStore();
  const random = createRandom(seed);
  const made: Partial<Record<MutationKind, number>> = {};
  const violations: string[] = [];
  let [shortened, damagedBodies] = [0, 0];
  try {
    for (let n = 1; n <= mutations; n += 1) {
      const mutation = mutationOf(without === "checksum" ? "page" : null, dead, random);
      made[mutation.kind] = (made[mutation.kind] ?? 0) + 1;
      const found = await reopen(dead, mutation);
      violations.push(
        ...found.violations.map((violation) => `${mutation.kind} at ${mutation.at}: ${violation}`),
      );
      damagedBodies += found.damagedBodies;
      if (found.kept < dead.ids.length) shortened += 1;
      if (n % 500 === 0) say(`${n} mutations, ${violations.length} violations`);
    }
  } finally {
    dead.remove();
  }
  return { mutations, seed, without, made, shortened, damagedBodies, violations };
}
