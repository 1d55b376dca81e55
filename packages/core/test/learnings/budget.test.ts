import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Book, emptyBook, indexOf, topicsOf } from "../../src/learnings/book.ts";
import { score } from "../../src/learnings/budget.ts";
import { consolidate } from "../../src/learnings/consolidate.ts";
import type { Learning } from "../../src/learnings/learning.ts";
import { normalForm } from "../../src/learnings/normal-form.ts";
import { areSiblings } from "../../src/learnings/slot.ts";

const now = 1_800_000_000_000;
const day = 86_400_000;
const learning = (over: Partial<Learning> = {}): Learning => ({
  id: 1,
  text: "Start the database before the tests",
  category: "testing",
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
const anyWorth = fc.record({
  severity: fc.constantFrom("low" as const, "medium" as const, "high" as const),
  seen: fc.nat({ max: 50 }),
  lastSeen: fc.nat({ max: 400 }).map((days) => now - days * day),
});

describe("the worth of a learning", () => {
  test("grows with severity, with how often it was met and how lately, whatever the rest is; pinned is above all", () => {
    fc.assert(
      fc.property(anyWorth, (worth) => {
        const of = (over: Partial<Learning>): number => score(learning({ ...worth, ...over }), now);
        expect(of({ severity: "high" })).toBeGreaterThan(of({ severity: "medium" }));
        expect(of({ severity: "medium" })).toBeGreaterThan(of({ severity: "low" }));
        expect(of({ seen: worth.seen + 1 })).toBeGreaterThan(of({}));
        expect(of({ lastSeen: worth.lastSeen - day })).toBeLessThan(of({}));
        expect(of({ pinned: true })).toBe(Number.POSITIVE_INFINITY);
      }),
    );
  });

  test("is halved in its lateness after 45 days, and a high severity outweighs any of it", () => {
    expect(
      score(learning({ seen: 0 }), now) -
        score(learning({ seen: 0, lastSeen: now - 45 * day }), now),
    ).toBeCloseTo(1);
    expect(score(learning({ severity: "high", lastSeen: 0 }), now)).toBeGreaterThan(
      score(learning({ severity: "low" }), now),
    );
  });
});

test("the index leads to each topic that has something, with as many as stand there, and to no other", () => {
  const anyBook = fc.array(
    fc.record({
      category: fc.constantFrom("testing" as const, "build" as const, "git" as const),
      status: fc.constantFrom(
        "active" as const,
        "evicted" as const,
        "retired" as const,
        "superseded" as const,
      ),
    }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(anyBook, (some) => {
      const book: Book = {
        ...emptyBook,
        learnings: some.map((each, at) => learning({ ...each, id: at + 1 })),
      };
      const led = indexOf(book, now)
        .sections.filter(({ more }) => more > 0)
        .map(({ category, more }) => [category, more] as const);
      const topics = topicsOf(book, now).map(
        ({ category, lines }) => [category, lines.length] as const,
      );
      expect(new Map(led)).toEqual(new Map(topics));
      expect(led).toHaveLength(topics.length);
    }),
  );
});

test("one occurrence of what is known counts at once, in that learning alone, and waits for no other", () => {
  const texts = [
    "Start the database before the tests",
    "Rotate the signing keys every quarter",
    "Never commit generated files",
  ];
  const book: Book = {
    ...emptyBook,
    learnings: texts.map((text, at) => learning({ id: at + 1, text, seen: 3 })),
  };
  fc.assert(
    fc.property(
      fc.constantFrom(...texts),
      fc.constantFrom("low" as const, "medium" as const),
      (text, severity) => {
        const candidate = {
          id: "c",
          text,
          category: "git" as const,
          signal: { kind: "test-fail" as const, by: "check" as const, ref: "" },
          severity,
          severityReason: null,
          workItem: "host:acme/shop#9",
          run: "r",
          harness: "A",
          instance: "default",
          at: now,
          evidence: "",
        };
        const plan = consolidate({
          book,
          candidates: [candidate],
          rules: [],
          verdicts: new Map(),
          lastId: 0,
          now,
        });
        expect(plan).toMatchObject({
          changes: [
            { kind: "seen", learning: { text, seen: 4, category: "testing" }, candidates: ["c"] },
          ],
          waiting: [],
          known: [],
          unsure: [],
        });
      },
    ),
  );
});

test("two sentences are siblings only where they have one shape, and differ in one thing alone", () => {
  const things = ["mailer", "importer", "planner", "renderer"];
  const shapes = [
    (thing: string) => `The cache of the ${thing} is kept in memory`,
    (thing: string) => `After changing the cache of the ${thing} run make warm`,
    (thing: string) => `Cache of ${thing}: keep it in memory`,
  ];
  const pair = fc.tuple(
    fc.nat({ max: 2 }),
    fc.nat({ max: 2 }),
    fc.constantFrom(...things),
    fc.constantFrom(...things),
  );
  fc.assert(
    fc.property(pair, ([one, other, mine, theirs]) => {
      const [first, second] = [shapes[one]?.(mine) ?? "", shapes[other]?.(theirs) ?? ""];
      expect(areSiblings(normalForm(first), normalForm(second))).toBe(
        one === other && mine !== theirs,
      );
    }),
  );
});
