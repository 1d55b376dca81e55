import { describe, expect, test } from "vitest";
import { readPlainDocument } from "../../src/config/plain-document.ts";

const limits = {
  characters: 1_000,
  nodes: 20,
  levels: 4,
  aliases: false,
  of: "a file of records",
} as const;

describe("a document as plain data", () => {
  test.each<[string, unknown]>([
    [
      "a: 1\nb: [x, true, null, 1.5]\nc: {d: {e: text}}",
      { a: 1, b: ["x", true, null, 1.5], c: { d: { e: "text" } } },
    ],
    ['{"a": ["b", {"c": "scalar"}], "d": []}', { a: ["b", { c: "scalar" }], d: [] }],
    ["- list\n- map: {}", ["list", { map: {} }]],
    ["word", "word"],
    ["", null],
  ])("is what stands in it: %j", (text, value) =>
    expect(readPlainDocument(text, limits)).toEqual({ ok: true, value }),
  );

  test("has a key of any name as its own", () => {
    const read = readPlainDocument("__proto__: {polluted: true}", limits);
    expect(read.ok && Object.entries(read.value ?? {})).toEqual([
      ["__proto__", { polluted: true }],
    ]);
    expect({}).not.toHaveProperty("polluted");
  });

  test.each<[string, string, string]>([
    ["a: 1\na: 2", "LOOP_E_CONFIG_DUPLICATE_KEY", "a"],
    ["a: !!js/function 1", "LOOP_E_CONFIG_TAG", "tag"],
    ["a: &x 1\nb: *x", "LOOP_E_CONFIG_ALIAS", "an alias stands here"],
    ["[[[[[[1]]]]]]", "LOOP_E_CONFIG_ALIAS", "nested too deep"],
    ["a: [", "LOOP_E_CONFIG_SYNTAX", ""],
  ])("is refused with its reason: %j", (text, code, message) => {
    const read = readPlainDocument(text, limits);
    expect(read.ok ? [] : read.problems).toContainEqual(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    );
  });

  test("may have aliases where its bounds say so", () => {
    expect(readPlainDocument("a: &x [1]\nb: *x", { ...limits, aliases: true })).toEqual({
      ok: true,
      value: { a: [1], b: [1] },
    });
  });
});
