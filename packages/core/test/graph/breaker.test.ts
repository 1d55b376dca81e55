import { expect, test } from "vitest";
import { breakerHold } from "../../src/turn/breaker.ts";
import type { Turn } from "../../src/turn/turn.ts";
import type { Hold } from "../../src/work-item/records.ts";
import { criticLimits } from "../../src/graph/critic.ts";
import { orderOf } from "../../src/graph/order.ts";
import { attempt, comment, input, now, said, settings, turn } from "../turn/build.ts";
import { bundled } from "./build.ts";

/**
 * Turns of a walk, a minute apart: the first by a person, the others asked for by the graph itself.
 */
function walk(byGraph: number): readonly Turn[] {
  const advance = { ...said(""), actor: { login: "loop", id: null, bot: true } };
  const inputs = [
    input(comment("loop start")),
    ...Array.from({ length: byGraph }, () => input(advance)),
  ];
  return inputs.map((each, at) =>
    turn({
      state: "done",
      attempt: attempt("first", { startedAt: now - (inputs.length - at) * 60_000 }),
      inputs: [each],
    }),
  );
}

/** What the breaker says before the graph's own turn of that number, the first being 1. */
function before(number: number): Hold | null {
  return breakerHold(walk(number - 1), settings.breaker, now, null);
}

/**
 * Turns that the graph itself asks for: every node with work but the first, and each round of
 * critics that leads to rework.
 */
function turnsOfGraph(rounds: number): number {
  const worked = orderOf(bundled("work-item")).filter(
    ({ terminal, gate }) => !terminal && gate === null,
  );
  return worked.length - 1 + (rounds - 1);
}

test("P11 the bundled graph, with every round of critics that there may be before a person is asked, stays within the loop breaker's default", () => {
  expect(turnsOfGraph(1)).toBe(7);
  expect(before(turnsOfGraph(criticLimits.rounds))).toBeNull();
  expect(before(turnsOfGraph(criticLimits.repeats))).toBeNull();
});

test("P11 turns that the graph asks for are no word of a person: one more of them and the lane is held", () => {
  expect(before(turnsOfGraph(criticLimits.rounds) + 1)).toMatchObject({ reason: "loop-breaker" });
});
