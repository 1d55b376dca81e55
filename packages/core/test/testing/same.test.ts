import { describe, expect, test } from "vitest";
import { differs, has, holds, same, sameBytes } from "../../src/testing/same.ts";

/** What an assertion says; null when it holds. */
function said(assertion: () => void): string | null {
  try {
    assertion();
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : "something else than an error";
  }
}

describe("same", () => {
  const equal: readonly (readonly [string, unknown, unknown])[] = [
    ["the order of keys does not count", { b: 1, a: { d: 2, c: 3 } }, { a: { c: 3, d: 2 }, b: 1 }],
    ["a set is the list of its members", new Set(["a", "b"]), ["a", "b"]],
    ["undefined is undefined", undefined, undefined],
    ["a key that is undefined is no key", { a: undefined }, {}],
    ["null is null", { a: null }, { a: null }],
  ];
  test.each(equal)("%s", (_name, one, other) =>
    expect([said(() => same("it", one, other)), said(() => same("it", other, one))]).toEqual([
      null,
      null,
    ]),
  );

  const different: readonly (readonly [string, unknown, unknown, string])[] = [
    [
      "a list is no object with numbers for keys",
      ["a"],
      { 0: "a" },
      'it: expected {"0":"a"}, got ["a"]',
    ],
    [
      "keys are shown in their order",
      { b: 1, a: 2 },
      { c: null, b: 3 },
      'it: expected {"b":3,"c":null}, got {"a":2,"b":1}',
    ],
    ["texts are shown as they are", "one", "other", "it: expected other, got one"],
    ["what JSON has no word for is undefined", undefined, 1, "it: expected 1, got undefined"],
    ["a number is no text", 1, "1", "it: expected 1, got 1"],
    ["the order of a list counts", [1, 2], [2, 1], "it: expected [2,1], got [1,2]"],
    [
      "long values are cut",
      "y".repeat(1501),
      "x".repeat(1600),
      `it: expected ${"x".repeat(1500)}, got ${"y".repeat(1500)}`,
    ],
  ];
  test.each(different)("%s", (_name, actual, expected, message) =>
    expect(said(() => same("it", actual, expected))).toBe(message),
  );
});

test("has looks only at the keys that are expected, and shows the whole", () => {
  expect(said(() => has("it", { kind: "done", usd: 1 }, { kind: "done" }))).toBeNull();
  expect(said(() => has("it", { kind: "lost", usd: 1 }, { kind: "done" }))).toBe(
    'it: expected {"kind":"done"}, got {"kind":"lost","usd":1}',
  );
  expect(said(() => has("it", {}, { kind: "done" }))).toBe('it: expected {"kind":"done"}, got {}');
});

test("holds says what was seen instead, where there was something", () => {
  expect(said(() => holds("it", true, "anything"))).toBeNull();
  expect(said(() => holds("it", false))).toBe("it");
  expect(said(() => holds("it", false, ""))).toBe("it");
  expect(said(() => holds("it", false, ["a"]))).toBe('it: ["a"]');
});

test("differs is an error with both", () =>
  expect(differs("it", { got: 1 }, "two").message).toBe('it: expected two, got {"got":1}'));

describe("sameBytes", () => {
  const bytes = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);
  const rows: readonly (readonly [string, Uint8Array | null, Uint8Array | null, boolean])[] = [
    ["nothing and nothing", null, null, true],
    ["nothing and no bytes", null, bytes(), false],
    ["no bytes and nothing", bytes(), null, false],
    ["no bytes and no bytes", bytes(), bytes(), true],
    ["the same", bytes(1, 2), bytes(1, 2), true],
    ["one that differs", bytes(1, 2), bytes(1, 3), false],
    ["one more", bytes(1, 2), bytes(1, 2, 3), false],
    ["one less", bytes(1, 2, 3), bytes(1, 2), false],
  ];
  test.each(rows)("%s", (_name, one, other, expected) =>
    expect(sameBytes(one, other)).toBe(expected),
  );
});
