import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { deepestNesting, mostMembers, parsePayload } from "../../src/event/parse-payload.ts";

describe("R09 deep nesting", () => {
  it("ten million brackets are refused by the first of them", () => {
    const text = "[".repeat(10_000_000);
    // Time of this thread: what else the machine does is none of ours. Parsing all of it took 1.4
    // seconds.
    const before = process.threadCpuUsage();
    expect(parsePayload(text)).toEqual({ ok: false, why: "too-deep" });
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(50);
  });

  it("the bound is exact and counts objects too", () => {
    const nest = (depth: number): string =>
      `{"a":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;
    expect(parsePayload(nest(deepestNesting)).ok).toBe(true);
    expect(parsePayload(nest(deepestNesting + 1))).toEqual({ ok: false, why: "too-deep" });
  });

  it("brackets inside of strings do not count, behind escaped quotes either", () => {
    expect(
      parsePayload(JSON.stringify({ a: `"${"[".repeat(1000)}`, b: "\\", c: "[".repeat(1000) })).ok,
    ).toBe(true);
  });

  it("what follows on each other does not nest", () => {
    expect(parsePayload(`{"a":[${"[],{},".repeat(1000)}1]}`).ok).toBe(true);
  });
});

describe("R09 a payload of very many parts", () => {
  const list = (members: number): string => `{"a":[${"0,".repeat(members)}0]}`;

  it("is taken up to their number", () => {
    expect(parsePayload(list(mostMembers)).ok).toBe(true);
  });

  it.each([
    ["elements", list(mostMembers + 1)],
    ["members", `{${'"k":0,'.repeat(mostMembers + 1)}"k":0}`],
  ])("is refused from one more on: %s", (_what, text) => {
    expect(parsePayload(text)).toEqual({ ok: false, why: "too-large" });
  });

  it("is refused before any parser has seen it", () => {
    const parse = vi.spyOn(JSON, "parse");
    onTestFinished(() => parse.mockRestore());
    expect(parsePayload(`{${'"k":0,'.repeat(2_000_000)}"k":0}`)).toEqual({
      ok: false,
      why: "too-large",
    });
    expect(parse).not.toHaveBeenCalled();
  });

  it("commas inside of strings do not count, however many quotes are escaped there", () => {
    expect(
      parsePayload(
        JSON.stringify({
          a: `",\\",`.repeat(mostMembers),
          b: "\\",
          c: ",".repeat(mostMembers + 1),
        }),
      ).ok,
    ).toBe(true);
  });

  it("a string without an end is looked at once", () => {
    expect(parsePayload(`{"a":"${String.raw`\"`.repeat(1_000_000)}`)).toEqual({
      ok: false,
      why: "not-json",
    });
    expect(parsePayload(`{"a":"${"\\".repeat(2_000_001)}"`)).toEqual({
      ok: false,
      why: "not-json",
    });
  });
});

describe("R10 odd bodies", () => {
  it.each([["null"], ["[]"], ['"x"'], ["1"], ["true"]])("%s is no object", (text) => {
    expect(parsePayload(text)).toEqual({ ok: false, why: "not-an-object" });
  });

  it.each([
    [""],
    [" "],
    ["{"],
    ["{]"],
    ["undefined"],
    ["{'a':1}"],
    ['{"a":1}x'],
    ['{"a":01}'],
    ['"'],
    ["\u0000"],
  ])("%j is no JSON", (text) => {
    expect(parsePayload(text)).toEqual({ ok: false, why: "not-json" });
  });

  it("a byte order mark is skipped, once", () => {
    expect(parsePayload('\uFEFF{"a":1}')).toEqual({ ok: true, payload: { a: 1 } });
    expect(parsePayload('\uFEFF\uFEFF{"a":1}')).toEqual({ ok: false, why: "not-json" });
  });

  it("lone surrogates, duplicate keys and __proto__ are kept as they are", () => {
    expect(parsePayload('{"a":"\\ud800"}')).toEqual({ ok: true, payload: { a: "\uD800" } });
    expect(parsePayload('{"a":1,"a":2}')).toEqual({ ok: true, payload: { a: 2 } });
    const parsed = parsePayload('{"__proto__":{"polluted":true}}');
    expect(parsed.ok && parsed.payload["polluted"]).toBe(undefined);
  });

  it("never throws, and reads what JSON writes", () => {
    fc.assert(
      fc.property(fc.string(), (text) => typeof parsePayload(text).ok === "boolean"),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 })), (value) => {
        const text = JSON.stringify(value);
        expect(parsePayload(text)).toEqual({ ok: true, payload: JSON.parse(text) });
      }),
    );
  });
});
