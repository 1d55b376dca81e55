import { describe, expect, test } from "vitest";
import { type Book, holds, indexOf, overflow, topicsOf } from "../../src/learnings/book.ts";
import { byScore, evicted, score, type Size, sizeOfText } from "../../src/learnings/budget.ts";
import type { Learning } from "../../src/learnings/learning.ts";

const now = 1_800_000_000_000;
const day = 86_400_000;
const learning = (id: number, over: Partial<Learning> = {}): Learning => ({
  id,
  text: `Fact number ${id}`,
  category: "git",
  kind: "do",
  status: "active",
  severity: "low",
  seen: 1,
  firstSeen: 0,
  lastSeen: now,
  pinned: false,
  supersedes: [],
  supersededBy: null,
  keys: [],
  sources: [],
  earlier: [],
  ...over,
});
const line = (id: number): { id: number; text: string } => ({ id, text: `Fact number ${id}` });

test.each([
  ["once, now", {}, 3],
  ["three times", { seen: 3 }, 4],
  ["of medium severity", { severity: "medium" }, 4],
  ["of high severity", { severity: "high" }, 6],
  ["45 days ago", { lastSeen: now - 45 * day }, 2],
  ["90 days ago", { lastSeen: now - 90 * day }, 1.5],
  ["in a clock that is ahead", { lastSeen: now + 45 * day }, 3],
  ["pinned", { pinned: true, seen: 0 }, Number.POSITIVE_INFINITY],
] as const)("what was met %s is worth as much as it should", (_what, over, expected) => {
  expect(score(learning(1, over), now)).toBe(expected);
});

test("the best come first; of two that are worth the same the one seen later, then the younger one", () => {
  const some = [
    learning(1, { lastSeen: now + 1 }),
    learning(2, { severity: "high" }),
    learning(3),
    learning(4),
    learning(5, { lastSeen: now + 2 }),
    learning(6, { seen: 0 }),
  ];
  expect(some.toSorted(byScore(now)).map(({ id }) => id)).toEqual([2, 5, 1, 4, 3, 6]);
});

const book: Book = {
  before: "# Ours\n",
  after: "behind",
  learnings: [
    learning(1),
    learning(2, { category: "build", seen: 3 }),
    learning(3, { seen: 7 }),
    learning(4, { status: "retired", category: "ci", seen: 9 }),
    learning(5, { status: "superseded" }),
    learning(6, { status: "evicted", seen: 0 }),
    learning(7, { status: "evicted" }),
    learning(8, { status: "evicted", category: "docs" }),
    learning(9, { status: "evicted", category: "architecture" }),
  ],
};

test("the index has what is active, the best first, by categories in the order of their best; and leads to what was evicted", () => {
  expect(indexOf(book, now)).toEqual({
    before: "# Ours\n",
    after: "behind",
    sections: [
      { category: "git", lines: [line(3), line(1)], more: 2 },
      { category: "build", lines: [line(2)], more: 0 },
      { category: "docs", lines: [], more: 1 },
      { category: "architecture", lines: [], more: 1 },
    ],
  });
});

test("a topic has what was evicted of its category, the best first, and topics come in the order of the list", () => {
  expect(topicsOf(book, now)).toEqual([
    { category: "architecture", lines: [line(9)] },
    { category: "docs", lines: [line(8)] },
    { category: "git", lines: [line(7), line(6)] },
  ]);
});

const many = (
  count: number,
  over: (id: number) => Partial<Learning> = () => ({}),
): readonly Learning[] => Array.from({ length: count }, (_, at) => learning(at + 1, over(at + 1)));
/** An index of one category has a line for its title, for each mark and for its heading. */
const around = 4;

describe("when the index is too long", () => {
  test("nothing leaves it while it has 199 lines; one more, and the least leave until 180 are left with what leads to them", () => {
    expect(overflow({ before: "# Ours\n", after: "", learnings: many(199 - around) }, now)).toEqual(
      [],
    );
    const leaving = overflow({ before: "# Ours\n", after: "", learnings: many(200 - around) }, now);
    expect(leaving.map(({ id }) => id)).toEqual(
      Array.from({ length: 196 - 175 }, (_, at) => 196 - 175 - at),
    );
  });

  test("what was evicted or has ended before does not leave again", () => {
    const gone = [
      learning(900, { status: "evicted" }),
      learning(901, { status: "retired" }),
      learning(902, { status: "superseded" }),
    ];
    expect(
      overflow(
        { before: "# Ours\n", after: "", learnings: [...many(200 - around), ...gone] },
        now,
      ).map(({ id }) => id),
    ).not.toEqual(expect.arrayContaining([900]));
    expect(
      overflow({ before: "# Ours\n", after: "", learnings: [...many(150), ...gone] }, now),
    ).toEqual([]);
  });

  test("it holds its caps or does not, with all that people wrote around it", () => {
    const some = many(199 - around);
    expect(holds({ before: "# Ours\n", after: "", learnings: some }, now)).toBe(true);
    expect(holds({ before: "# Ours\n\n", after: "", learnings: some }, now)).toBe(false);
    expect(holds({ before: "# Ours\n", after: "x".repeat(24_000), learnings: [] }, now)).toBe(
      false,
    );
  });
});

describe("what leaves", () => {
  const ranked = many(6, (id) => ({ seen: 10 - id, pinned: id <= 2 }));
  const by = (sizes: (staying: number) => Size): readonly number[] =>
    evicted(ranked, now, (staying) => sizes(staying.length)).map(({ id }) => id);

  test.each([
    ["none at both caps", (): Size => ({ lines: 199, bytes: 24_000 }), []],
    [
      "some past the cap of lines, until 180 are left",
      (staying: number): Size => ({ lines: 150 + staying * 10, bytes: 0 }),
      [4, 5, 6],
    ],
    [
      "two past the cap of bytes, until 21,600 are left",
      (staying: number): Size => ({ lines: 0, bytes: 24_001 - (6 - staying) * 1_200.5 }),
      [5, 6],
    ],
    [
      "none of those that are pinned, even where they do not fit",
      (): Size => ({ lines: 300, bytes: 0 }),
      [3, 4, 5, 6],
    ],
  ])("%s", (_what, sizes, expected) => {
    expect(by(sizes)).toEqual(expected);
  });

  test("all of them, where nothing is pinned and nothing fits", () => {
    expect(evicted(many(3), now, () => ({ lines: 300, bytes: 0 })).map(({ id }) => id)).toEqual([
      3, 2, 1,
    ]);
  });
});

test.each([
  ["nothing", "", { lines: 0, bytes: 0 }],
  ["a line", "a", { lines: 1, bytes: 1 }],
  ["a line that ends", "a\n", { lines: 1, bytes: 2 }],
  ["two lines", "a\nb", { lines: 2, bytes: 3 }],
  ["an empty line first", "\na", { lines: 2, bytes: 2 }],
  ["letters of one byte and of two", "\u007F\u0080", { lines: 1, bytes: 3 }],
  ["letters of two bytes and of three", "\u07FF\u0800", { lines: 1, bytes: 5 }],
  ["letters of three bytes and of four", "\uFFFF\u{10000}", { lines: 1, bytes: 7 }],
])("the size of %s", (_what, text, expected) => {
  expect(sizeOfText(text)).toEqual(expected);
});
