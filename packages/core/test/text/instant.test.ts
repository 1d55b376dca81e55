import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatInstant, instantOf, isBefore } from "../../src/text/instant.ts";

describe("instants of the code host", () => {
  it.each([
    "1970-01-01T00:00:00Z",
    "2000-02-29T23:59:59Z",
    "2026-03-01T12:00:00Z",
    "2026-03-01T12:00:00.5Z",
    "2026-03-01T12:00:00.123456Z",
    "2026-03-01T14:00:00+02:00",
    "2026-02-28T22:30:00-03:30",
    "1969-12-31T23:59:59Z",
  ])("%s", (text) => {
    expect(instantOf(text)).toBe(Date.parse(text));
  });

  it("agrees with the platform on every second of 400 years", () => {
    fc.assert(
      fc.property(
        fc.date({
          min: new Date("1800-01-01T00:00:00Z"),
          max: new Date("2200-01-01T00:00:00Z"),
          noInvalidDate: true,
        }),
        (date) => {
          expect(instantOf(date.toISOString())).toBe(date.getTime());
        },
      ),
      { numRuns: 5000 },
    );
  });

  it.each([
    null,
    "",
    "yesterday",
    "2026-03-01",
    "2026-03-01T12:00:00",
    "2026-13-01T12:00:00Z",
    "2026-03-32T12:00:00Z",
    "2026-03-01T25:00:00Z",
    "2026-03-01T12:60:00Z",
    "2026-03-01t12:00:00z",
    `2026-03-01T12:00:00.${"1".repeat(99)}Z`,
  ])("%s is none", (text) => {
    expect(instantOf(text)).toBeNull();
  });

  it("are written as the platform writes them, without a fraction", () => {
    expect(formatInstant(1_772_366_400_999)).toBe("2026-03-01T12:00:00Z");
    fc.assert(
      fc.property(
        fc.date({
          min: new Date("1800-01-01T00:00:00Z"),
          max: new Date("2200-01-01T00:00:00Z"),
          noInvalidDate: true,
        }),
        (date) => {
          expect(formatInstant(date.getTime())).toBe(date.toISOString().replace(/\.\d+Z$/, "Z"));
        },
      ),
      { numRuns: 5000 },
    );
  });

  it("what nobody can compare is not before", () => {
    expect([
      isBefore("2026-03-01T12:00:00Z", "2026-03-01T12:00:01Z"),
      isBefore("2026-03-01T12:00:00Z", "2026-03-01T12:00:00Z"),
      isBefore(null, "2026-03-01T12:00:00Z"),
      isBefore("2026-03-01T12:00:00Z", "soon"),
    ]).toEqual([true, false, false, false]);
  });
});
