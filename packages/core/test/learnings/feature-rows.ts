import { describe, expect, test } from "vitest";
import { type Features, features } from "../../src/learnings/features.ts";
import { normalForm } from "../../src/learnings/normal-form.ts";
import type { Weigh } from "../../src/learnings/similarity.ts";

/** Every word counts as much as every other, so that the figures are shares that one can count. */
export const plain: Weigh = ({ filler }) => (filler ? 0 : 1);

type Row = readonly [what: string, candidate: string, fact: string, expected: Partial<Features>];

/** Rows of a candidate beside a fact, with those of the features that the row is about. */
export function holds(title: string, rows: readonly Row[]): void {
  describe(title, () => {
    test.each(rows)("%s: %j beside %j", (_what, candidate, fact, expected) => {
      const all = features(normalForm(candidate), normalForm(fact), plain, 0.25);
      for (const [name, value] of Object.entries(expected))
        expect({ [name]: Reflect.get(all, name) }).toEqual({ [name]: expect.closeTo(value, 8) });
    });
  });
}
