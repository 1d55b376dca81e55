import { type BlockFile, emptyIndex, formatBlock, type Section } from "./block.ts";
import { byScore, evicted, fits, type Size, sizeOfText } from "./budget.ts";
import type { Learning } from "./learning.ts";
import { type Category, categories } from "./vocabulary.ts";

/**
 * Every learning that a repository ever had, and the words of people around the block of its index.
 */
export type Book = {
  readonly learnings: readonly Learning[];
  readonly before: string;
  readonly after: string;
};

export const emptyBook: Book = { learnings: [], before: emptyIndex.before, after: "" };

/**
 * The index of a book: what is active, by category, the best first. `now` in milliseconds since
 * 1970.
 */
export function indexOf({ learnings, before, after }: Book, now: number): BlockFile {
  const best = learnings.filter(({ status }) => status === "active").toSorted(byScore(now));
  const gone = learnings.filter(({ status }) => status === "evicted");
  const order = [...new Set([...best, ...gone].map(({ category }) => category))];
  return { before, after, sections: order.map((category) => sectionOf(category, best, gone)) };
}

function sectionOf(
  category: Category,
  best: readonly Learning[],
  gone: readonly Learning[],
): Section {
  const lines = best
    .filter((each) => each.category === category)
    .map(({ id, text }) => ({ id, text }));
  return { category, lines, more: gone.filter((each) => each.category === category).length };
}

/** The topic files of a book: of each category what the index had no room for. */
export function topicsOf(
  { learnings }: Book,
  now: number,
): readonly { readonly category: Category; readonly lines: Section["lines"] }[] {
  const gone = learnings.filter(({ status }) => status === "evicted").toSorted(byScore(now));
  return categories.flatMap((category) => {
    const lines = gone
      .filter((each) => each.category === category)
      .map(({ id, text }) => ({ id, text }));
    return lines.length === 0 ? [] : [{ category, lines }];
  });
}

/**
 * What the index would measure if these were active, and of the others that are active now evicted.
 */
function sizeWith(book: Book, staying: readonly Learning[], now: number): Size {
  const stays = new Set(staying.map(({ id }) => id));
  const learnings = book.learnings.map((each) =>
    each.status === "active" && !stays.has(each.id)
      ? { ...each, status: "evicted" as const }
      : each,
  );
  return sizeOfText(formatBlock(indexOf({ ...book, learnings }, now)));
}

/** Which learnings have no room in the index any more. */
export function overflow(book: Book, now: number): readonly Learning[] {
  return evicted(
    book.learnings.filter(({ status }) => status === "active"),
    now,
    (staying) => sizeWith(book, staying, now),
  );
}

/**
 * Whether the index holds its caps; not so when people's own words or pinned learnings alone are
 * too much.
 */
export function holds(book: Book, now: number): boolean {
  return fits(sizeOfText(formatBlock(indexOf(book, now))));
}
