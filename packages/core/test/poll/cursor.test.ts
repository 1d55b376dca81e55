import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { firstCursor, formatCursor, formatInstant, instantOf, lookBackMs, newerOf, overlapMs, parseCursor, type PollCursor, pollStreams, sinceOf } from "../../src/poll.ts";

const noon = "2024-05-06T12:00:00Z";
const noonMs = Date.parse(noon);

describe("cursor", () => {
  test("an instant is written as the host writes it, for every second of 400 years", () => {
    fc.assert(fc.property(fc.integer({ min: Date.parse("1970-01-01T00:00:00Z") / 1000, max: Date.parse("2370-01-01T00:00:00Z") / 1000 }), (seconds) => {
      const text = formatInstant(seconds * 1000);
      expect(text).toBe(new Date(seconds * 1000).toISOString().replace(".000Z", "Z"));
      expect(instantOf(text)).toBe(seconds * 1000);
    }));
  });

  test("what is stored is read again as it was; what cannot be read begins anew", () => {
    const pages = fc.dictionary(fc.string(), fc.record({ tag: fc.string(), next: fc.option(fc.string()) }));
    fc.assert(fc.property(pages, fc.constantFrom(...pollStreams), fc.dictionary(fc.string(), fc.stringMatching(/^[0-9a-f]{40}$/)), (marks, stream, heads) => {
      const cursor: PollCursor = { firstSight: noon, newest: { [stream]: noon }, pages: { ...marks }, heads: { ...heads }, texts: { ...heads }, repository: { id: 1 }, reconciledAt: noon };
      expect(JSON.parse(JSON.stringify(parseCursor(formatCursor(cursor))))).toEqual(JSON.parse(JSON.stringify(cursor)));
    }));
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      const read = parseCursor(text);
      expect(read === null || instantOf(read.firstSight) !== null).toBe(true);
    }));
    for (const text of ["", "{}", "null", "[]", '{"firstSight":"yesterday"}', '{"firstSight":7}']) expect(parseCursor(text)).toBeNull();
    expect(parseCursor(`{"firstSight":"${noon}","newest":{"items":"never","events":7},"pages":{"/a":7},"heads":[],"repository":[],"reconciledAt":"x"}`)).toEqual(firstCursor(noon));
  });

  test("the first poll looks back seven days, a later one a minute before what it has", () => {
    const first = firstCursor(noon);
    expect(Date.parse(sinceOf(first, "comments"))).toBe(noonMs - lookBackMs);
    const later = { ...first, newest: { comments: noon } };
    expect(Date.parse(sinceOf(later, "comments"))).toBe(noonMs - overlapMs);
    expect(Date.parse(sinceOf(later, "items"))).toBe(noonMs - lookBackMs);
  });

  test("the newer of two instants, whatever their offsets", () => {
    expect(newerOf(null, null)).toBeNull();
    expect(newerOf(noon, null)).toBe(noon);
    expect(newerOf("2024-05-06T13:30:00+02:00", noon)).toBe(noon);
    expect(newerOf("nonsense", noon)).toBe(noon);
  });
});
