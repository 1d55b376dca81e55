import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  firstCursor,
  formatCursor,
  lookBackMs,
  newerOf,
  overlapMs,
  parseCursor,
  type PollCursor,
  pollStreams,
  sinceOf,
} from "../../src/poll/cursor.ts";
import { formatInstant, instantOf } from "../../src/text/instant.ts";

const noon = "2024-05-06T12:00:00Z";
const noonMs = Date.parse(noon);

describe("cursor", () => {
  test("an instant is written as the host writes it, for every second of 400 years", () => {
    fc.assert(
      fc.property(
        fc.integer({
          min: Date.parse("1970-01-01T00:00:00Z") / 1000,
          max: Date.parse("2370-01-01T00:00:00Z") / 1000,
        }),
        (seconds) => {
          const text = formatInstant(seconds * 1000);
          expect(text).toBe(new Date(seconds * 1000).toISOString().replace(".000Z", "Z"));
          expect(instantOf(text)).toBe(seconds * 1000);
        },
      ),
    );
  });

  test("what is stored is read again as it was; what cannot be read begins anew", () => {
    const pages = fc.dictionary(
      fc.string(),
      fc.record({ tag: fc.string(), next: fc.option(fc.string()) }),
    );
    fc.assert(
      fc.property(
        pages,
        fc.constantFrom(...pollStreams),
        fc.dictionary(fc.string(), fc.stringMatching(/^[0-9a-f]{40}$/)),
        (marks, stream, heads) => {
          const cursor: PollCursor = {
            firstSight: noon,
            newest: { [stream]: noon },
            pages: { ...marks },
            heads: { ...heads },
            texts: { ...heads },
            repository: { id: 1 },
            reconciledAt: noon,
          };
          expect(JSON.parse(JSON.stringify(parseCursor(formatCursor(cursor))))).toEqual(
            JSON.parse(JSON.stringify(cursor)),
          );
        },
      ),
    );
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const read = parseCursor(text);
        expect(read === null || instantOf(read.firstSight) !== null).toBe(true);
      }),
    );
    for (const text of ["", "{}", "null", "[]", '{"firstSight":"yesterday"}', '{"firstSight":7}'])
      expect(parseCursor(text)).toBeNull();
    const odd = {
      newest: { items: "never", events: 7, other: noon },
      pages: { "/a": 7, "/b": null, "/c": { tag: 7 } },
      heads: { 1: 7 },
      texts: { 1: null },
      repository: [],
      reconciledAt: "x",
    };
    expect(parseCursor(JSON.stringify({ firstSight: noon, ...odd }))).toEqual(firstCursor(noon));
    expect(
      parseCursor(JSON.stringify({ firstSight: noon, heads: ["a"], texts: "b", pages: null })),
    ).toEqual(firstCursor(noon));
    expect(
      parseCursor(JSON.stringify({ firstSight: noon, pages: { "/a": { tag: "t", next: 7 } } }))
        ?.pages,
    ).toEqual({ "/a": { tag: "t", next: null } });
  });

  test("the first poll looks back seven days, a later one a minute before what it has", () => {
    const first = firstCursor(noon);
    expect(Date.parse(sinceOf(first, "comments"))).toBe(noonMs - lookBackMs);
    const later = { ...first, newest: { comments: noon } };
    expect(Date.parse(sinceOf(later, "comments"))).toBe(noonMs - overlapMs);
    expect(Date.parse(sinceOf(later, "items"))).toBe(noonMs - lookBackMs);
  });

  const newer: readonly (readonly [string, string | null, string | null, string | null])[] = [
    ["nothing of nothing", null, null, null],
    ["the one that there is", noon, null, noon],
    ["the other that there is", null, noon, noon],
    ["the other, whatever their offsets", "2024-05-06T13:30:00+02:00", noon, noon],
    ["the one, whatever their offsets", noon, "2024-05-06T13:30:00+02:00", noon],
    ["the one where they are equal", noon, "2024-05-06T14:00:00+02:00", noon],
    ["the one that can be read", "nonsense", noon, noon],
    ["not the one that cannot", noon, "nonsense", noon],
    ["nothing rather than what cannot be read", "nonsense", null, null],
    [
      "the one that there is, before 1970 as well",
      "1969-12-31T00:00:00Z",
      null,
      "1969-12-31T00:00:00Z",
    ],
  ];
  test.each(newer)("the newer of two instants is %s", (_name, one, other, expected) =>
    expect(newerOf(one, other)).toBe(expected),
  );
});
