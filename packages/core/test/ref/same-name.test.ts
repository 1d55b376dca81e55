import fc from "fast-check";
import { expect, test } from "vitest";
import { foldName, sameLabel } from "../../src/accounts/fold-name.ts";
import { sameName } from "../../src/ref/ref.ts";

const letter = fc.constantFrom(
  ..."aAzZ@`[{-9kKsSiI",
  "\u212A",
  "\u017F",
  "\u0130",
  "\u0131",
  "\u00E9",
  "\u00C9",
  "\u03A3",
  "\u03C2",
);
const name = fc.array(letter, { maxLength: 6 }).map((letters) => letters.join(""));

test("names are the same exactly where they fold into the same name, which changes only A to Z", () => {
  const folded = (text: string): string =>
    text.replaceAll(/[A-Z]/g, (each) => String.fromCharCode(each.charCodeAt(0) + 32));
  fc.assert(
    fc.property(name, name, (a, b) => {
      expect(foldName(a)).toBe(folded(a));
      expect(sameName(a, b)).toBe(folded(a) === folded(b));
      expect(sameName(a, folded(a))).toBe(true);
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
  ["\u00e9", "\u00c9", false],
  ["\u00e9", "e", false],
  ["e", "\u00e9", false],
  ["k", "\u212a", false],
  ["\u212a", "K", false],
  ["s", "\u017f", false],
  ["a\u00e9", "A\u00e9", true],
  ["a\u00e9", "A\u00c9", false],
  ["a\u00e9", "b\u00c9", false],
])("%j is the same name as %j: %s", (a, b, same) =>
  expect([sameName(a, b), sameName(b, a)]).toEqual([same, same]),
);

test.each([
  ["loop: auto-execute", "LOOP: Auto-Execute", true],
  ["\u00E4rger: auto", "\u00C4rger: auto", true],
  ["\u00E9quipe", "\u00C9QUIPE", true],
  ["\u043A: \u0430\u0432\u0442\u043E", "\u041A: \u0410\u0432\u0442\u043E", true],
  ["auto", "autos", false],
])("labels %j and %j are the same in every script's case: %s", (a, b, same) => {
  expect(sameLabel(a, b)).toBe(same);
});
