import { decide, evolve } from "@loopwork/core";
import { chapters, type Chapter } from "./alphabet.ts";
import { explore, type Exploration, type Violation } from "./explore.ts";
import type { Mutant } from "./mutants.ts";
import { policies } from "./policies.ts";

/** What one chapter under one configuration came to. */
export type Line = Exploration & {
  readonly chapter: string;
  readonly policy: string;
  readonly ms: number;
};

/** Searches every chapter under every configuration of it, with the product's own rules. */
export function exploreAll(say: (line: Line) => void = () => {}): readonly Line[] {
  return chapters.flatMap((chapter) =>
    chapter.under.map((name) => {
      const started = performance.now();
      const line = {
        chapter: chapter.name,
        policy: name,
        ...explore({ letters: chapter.letters, policy: policies[name], rules: { decide, evolve } }),
        ms: Math.round(performance.now() - started),
      };
      say(line);
      return line;
    }),
  );
}

/**
 * The shortest way in which the mutant breaks what it is meant to break; null when nobody would
 * notice it.
 */
export function hunt({ breaks, chapter, rules }: Mutant): Violation | null {
  const { letters } = chapterNamed(chapter);
  return (
    explore({ letters, policy: policies["as it comes"], rules, until: breaks }).violations.find(
      ({ invariant }) => invariant === breaks,
    ) ?? null
  );
}

function chapterNamed(name: string): Chapter {
  const found = chapters.find((chapter) => chapter.name === name);
  if (found === undefined) throw new Error(`there is no chapter ${name}`);
  return found;
}
