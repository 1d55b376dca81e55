import type { Policy } from "@loopwork/core";
import { hear } from "./hear.ts";
import { brokenByHearing, brokenByStep, type Invariant } from "./invariants.ts";
import type { Letter, Rules } from "./letter.ts";
import { firstWorld, nameOf, type World } from "./world.ts";

/** What a search came to. `whole` is false when it was ended at `most` worlds. */
export type Exploration = {
  readonly states: number;
  readonly transitions: number;
  readonly violations: readonly Violation[];
  readonly whole: boolean;
};

/** One way to break an invariant, the shortest there is, as what happened one after another. */
export type Violation = { readonly invariant: Invariant; readonly path: readonly string[] };

/** What to search. With `until` the search ends once that invariant is broken. */
export type Search = {
  readonly letters: readonly Letter[];
  readonly policy: Policy;
  readonly rules: Rules;
  readonly most?: number;
  readonly until?: Invariant;
};

/**
 * Looks at every world that the letters lead to, nearest first, until none is new. Each invariant
 * is reported once.
 */
export function explore({ letters, policy, rules, most = 1_000_000, until }: Search): Exploration {
  const came = new Map<string, { readonly from: string | null; readonly by: string }>([
    [nameOf(firstWorld), { from: null, by: "" }],
  ]);
  const violations = new Map<Invariant, Violation>();
  let frontier: readonly (readonly [string, World])[] = [[nameOf(firstWorld), firstWorld]];
  let transitions = 0;
  while (
    frontier.length > 0 &&
    came.size < most &&
    (until === undefined || !violations.has(until))
  ) {
    const next: (readonly [string, World])[] = [];
    for (const [name, world] of frontier) {
      for (const letter of letters) {
        const step = follow(letter, world, policy, rules);
        if (step === null) continue;
        transitions += 1;
        for (const invariant of step.broken)
          if (!violations.has(invariant))
            violations.set(invariant, { invariant, path: [...pathTo(name, came), letter.name] });
        if (isSame(world, step.world)) continue;
        const to = nameOf(step.world);
        if (came.has(to)) continue;
        came.set(to, { from: name, by: letter.name });
        next.push([to, step.world]);
      }
    }
    frontier = next;
  }
  return {
    states: came.size,
    transitions,
    violations: [...violations.values()],
    whole: frontier.length === 0,
  };
}

function follow(
  letter: Letter,
  world: World,
  policy: Policy,
  rules: Rules,
): { readonly world: World; readonly broken: readonly Invariant[] } | null {
  if (letter.own) {
    const taken = letter.step(world, rules);
    return taken === null
      ? null
      : { world: taken.world, broken: brokenByStep(letter, world, taken) };
  }
  const hearing = hear(letter, world, policy, rules);
  return hearing === null
    ? null
    : { world: hearing.world, broken: brokenByHearing(letter, hearing) };
}

/** Most events change nothing, and what is not changed stays the same object. */
function isSame(one: World, other: World): boolean {
  return (
    one.item === other.item &&
    one.oracle === other.oracle &&
    one.lanes === other.lanes &&
    one.outbox === other.outbox &&
    one.elsewhere === other.elsewhere &&
    one.host.open === other.host.open &&
    one.host.labelled === other.host.labelled &&
    one.host.merged === other.host.merged
  );
}

function pathTo(
  name: string,
  came: ReadonlyMap<string, { readonly from: string | null; readonly by: string }>,
): readonly string[] {
  const path: string[] = [];
  for (let at = came.get(name); at !== undefined && at.from !== null; at = came.get(at.from))
    path.unshift(at.by);
  return path;
}
