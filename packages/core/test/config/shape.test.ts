import { expect, test } from "vitest";
import { sameValue } from "../../src/config/alias.ts";
import { conforms, defaultOf, type Json } from "../../src/config/defaults.ts";
import { nearest } from "../../src/config/nearest.ts";
import type { Node } from "../../src/config/schema/node.ts";

const doc = "";
const integer = { type: "integer", min: 0, max: 9, default: 0, doc } as const;
const records = { type: "records", keys: { n: integer }, doc } as const;

/** Each type of node with values that have its shape and values that do not. */
const rows: readonly (readonly [
  name: string,
  node: Node,
  fits: readonly Json[],
  not: readonly Json[],
])[] = [
  ["boolean", { type: "boolean", default: true, doc }, [true, false], ["true", 1, null, [], {}]],
  ["integer", integer, [5, 0], ["5", null, true, [5]]],
  ["integer that may be unset", { ...integer, default: null }, [5, null], ["5", true]],
  ["number", { type: "number", min: 0, max: 9, default: 0, doc }, [1.5], ["1.5", null]],
  [
    "number that may be unset",
    { type: "number", min: 0, max: 9, default: null, doc },
    [1.5, null],
    ["1.5", {}],
  ],
  ["string", { type: "string", form: "text", default: "", doc }, ["x", ""], [5, null, ["x"]]],
  [
    "string that may be unset",
    { type: "string", form: "text", default: null, doc },
    ["x", null],
    [5, false],
  ],
  [
    "choice",
    { type: "enum", values: ["a", "b"], default: "a", doc },
    ["a", "b"],
    ["c", null, 1, ["a"]],
  ],
  [
    "choice that may be unset",
    { type: "enum", values: ["a", "b"], default: null, doc },
    ["a", null],
    ["c", 1],
  ],
  [
    "list",
    { type: "list", form: "text", default: [], doc },
    [[], ["x"], ["x", "y"]],
    ["x", null, [1], ["x", 1], {}],
  ],
  [
    "set",
    { type: "set", values: ["a", "b"], default: [], doc },
    [[], ["a"], ["b", "a"]],
    ["a", null, ["c"], ["a", "c"], [1], {}],
  ],
  [
    "map",
    { type: "map", form: "text", default: {}, doc },
    [{}, { a: "x" }],
    [null, "x", [], ["x"], { a: 1 }, { a: "x", b: null }],
  ],
  [
    "records",
    records,
    [[], [{ n: 1 }], [{ n: 1 }, { n: 2 }]],
    [null, {}, [{}], [{ n: "1" }], [{ n: 1 }, { n: "1" }], ["x"], [null]],
  ],
  [
    "object",
    {
      type: "object",
      keys: { n: integer, s: { type: "string", form: "text", default: "", doc } },
      doc,
    },
    [{ n: 1, s: "x" }],
    [null, "x", [], {}, { n: 1 }, { s: "x" }, { n: "1", s: "x" }],
  ],
  [
    "object with a second place for a key, which has no value",
    { type: "object", keys: { n: integer, other: { type: "alias", of: "n", doc } }, doc },
    [{ n: 1 }],
    [{ n: 1, other: 1 }, {}],
  ],
];

test.each(rows)("the shape of a %s", (_, node, fits, not) => {
  expect(fits.filter((value) => !conforms(node, value))).toEqual([]);
  expect(not.filter((value) => conforms(node, value))).toEqual([]);
});

test("what is not set is empty in lists of maps, made of its keys in maps, and nothing in second places", () => {
  expect(defaultOf(records)).toEqual([]);
  expect(
    defaultOf({
      type: "object",
      keys: { inner: { type: "object", keys: { n: integer }, doc }, records },
      doc,
    }),
  ).toEqual({ inner: { n: 0 }, records: [] });
  expect(defaultOf({ type: "alias", of: "n", doc })).toBeNull();
});

test.each<readonly [a: unknown, b: unknown, same: boolean]>([
  [{ a: 1, b: 2, c: 3 }, { c: 3, b: 2, a: 1 }, true],
  [[{ a: 1, b: 2 }], [{ b: 2, a: 1 }], true],
  [{ a: 1 }, { a: 2 }, false],
  [["a", "b"], ["b", "a"], false],
  [["a"], { 0: "a" }, false],
  [[], {}, false],
  [null, null, true],
  [null, {}, false],
  ["a", "a", true],
])("%j is the same value as %j: %s", (a, b, same) => expect(sameValue(a, b)).toBe(same));

test.each<readonly [typed: string, candidates: readonly string[], near: string | null]>([
  ["enabld", ["enabled"], "enabled"],
  ["ENABLED", ["enabled"], "enabled"],
  ["pot", ["port"], "port"],
  ["po", ["port"], null],
  ["x", ["y"], "y"],
  ["x", ["yy"], null],
  ["abcdef", ["abcdxy"], "abcdxy"],
  ["abcdef", ["abcxyz"], null],
  ["abcdefghi", ["abcdefxyz"], "abcdefxyz"],
  ["cat", ["bat", "hat"], "bat"],
  ["cats", ["bat", "cat"], "cat"],
  ["", ["a"], "a"],
  ["a".repeat(80), [`${"a".repeat(79)}b`], `${"a".repeat(79)}b`],
  ["a".repeat(81), [`${"a".repeat(80)}b`], null],
])("nearest to %j of %j is %j", (typed, candidates, near) =>
  expect(nearest(typed, candidates)).toBe(near),
);
