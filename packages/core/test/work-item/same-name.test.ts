import fc from "fast-check";
import { expect, test } from "vitest";
import { sameName } from "../../src/work-item/ref.ts";

test("names compare as their lower-case forms do, in any alphabet", () => {
  const letter = fc.constantFrom("a", "A", "z", "Z", "@", "`", "[", "{", "-", "9", "k", "K", "\u212A", "\u00E9", "\u00C9", "\u03A3", "\u03C2");
  const name = fc.array(letter, { maxLength: 6 }).map((letters) => letters.join(""));
  fc.assert(
    fc.property(name, name, (a, b) => {
      expect(sameName(a, b)).toBe(a === b || (a.length === b.length && a.toLowerCase() === b.toLowerCase()));
      expect(sameName(a, a.toUpperCase())).toBe(a.length === a.toUpperCase().length && a.toLowerCase() === a.toUpperCase().toLowerCase());
    }),
    { numRuns: 2000 },
  );
});

test.each<readonly [a: string, b: string, same: boolean]>([
  ["", "", true],
  ["abcxyz", "ABCXYZ", true],
  ["a", "b", false],
  ["a", "aa", false],
  ["@", "`", false],
  ["[", "{", false],
  ["-", "\r", false],
  ["1", "\u0011", false],
  ["\u00e9", "\u00c9", true],
  ["\u00e9", "e", false],
  ["e", "\u00e9", false],
  ["k", "\u212a", true],
  ["\u212a", "K", true],
  ["a\u00e9", "A\u00c9", true],
  ["a\u00e9", "b\u00c9", false],
])("%j is the same name as %j: %s", (a, b, same) => expect([sameName(a, b), sameName(b, a)]).toEqual([same, same]));
