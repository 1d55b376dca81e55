import fc from "fast-check";
import { expect, test } from "vitest";
import type { Section } from "../../src/learnings/block.ts";
import { categories } from "../../src/learnings/vocabulary.ts";
import { injection, longestNotes } from "../../src/learnings/inject.ts";

const hashOf = (text: string): string => text.length.toString(16).padStart(12, "0");

const sections = fc.uniqueArray(fc.constantFrom(...categories), { minLength: 1 }).chain((names) => {
  const line = fc.string({ minLength: 3, maxLength: 160, unit: fc.constantFrom(..."abc é") });
  return fc.tuple(
    ...names.map((category) =>
      fc.record({
        category: fc.constant(category),
        texts: fc.array(line, { maxLength: 40 }),
        more: fc.nat({ max: 200 }),
      }),
    ),
  );
});

test("notes are never longer than a harness shows, and every learning is told or counted", () => {
  fc.assert(
    fc.property(sections, (drawn) => {
      let id = 0;
      const index: readonly Section[] = drawn.map(({ category, texts, more }) => ({
        category,
        more,
        lines: texts.map((text) => ({ id: (id += 1), text })),
      }));
      const told = injection({ sections: index }, hashOf);
      if (told === null) {
        expect(index.every(({ lines, more }) => lines.length === 0 && more === 0)).toBe(true);
        return;
      }
      expect(told.text.length).toBeLessThanOrEqual(longestNotes);
      const shown = told.text.match(/^- \[\d{3,}\] /gmu)?.length ?? 0;
      const left = Number(/learnings\.md \((\d+) not shown/u.exec(told.text)?.[1] ?? 0);
      expect(shown + left).toBe(id);
      for (const { category, lines, more } of index) {
        if (lines[0] !== undefined)
          expect(told.text).toContain(`${category}:\n- [${String(lines[0].id).padStart(3, "0")}] `);
        if (more > 0) expect(told.text).toContain(`topics/${category}.md (${more})`);
      }
    }),
    { numRuns: 300 },
  );
});
