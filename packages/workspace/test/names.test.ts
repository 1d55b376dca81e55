import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { decodeName, encodeName, entriesOf, fileAt, shownName } from "../src/names.ts";
import { createScratch, type Scratch } from "./scratch.ts";

const bytes = (...values: readonly number[]): Buffer => Buffer.from(values);

describe("names as text", () => {
  test("any bytes come back as they were, and no two are the same text", () => {
    const odd = fc
      .array(
        fc.oneof(
          fc.integer({ min: 0, max: 255 }),
          fc.constantFrom(0, 0x2f, 0x80, 0xc3, 0xa9, 0xed, 0xb2, 0xe2, 0xf0, 0x9f, 0xff),
        ),
      )
      .map((each) => Buffer.from(each));
    fc.assert(
      fc.property(odd, odd, (one, other) => {
        expect(encodeName(decodeName(one))).toEqual(one);
        expect(decodeName(one) === decodeName(other)).toBe(one.equals(other));
      }),
    );
  });

  test("what is UTF-8 is itself, whatever stands beside it", () => {
    expect(decodeName(Buffer.from("ünï 🌱/a"))).toBe("ünï 🌱/a");
    expect(
      decodeName(Buffer.concat([Buffer.from("ünï\0"), bytes(0x63, 0xe9, 0), Buffer.from("🌱\0")])),
    ).toBe("ünï\0c\udce9\0🌱\0");
    // A surrogate that somebody wrote as if it were UTF-8 is three bytes, not the byte that we
    // write so.
    expect(decodeName(bytes(0xed, 0xb3, 0xa9))).toBe("\udced\udcb3\udca9");
  });

  test("a name outlives JSON, and is one name in lists and sets", () => {
    const name = decodeName(bytes(0x63, 0xe9));
    const again: unknown = JSON.parse(Buffer.from(JSON.stringify(name)).toString());
    expect(again).toBe(name);
    expect(name.split("\udce9")).toEqual(["c", ""]);
  });

  test("people are shown what does not print spelled out, one way for each name", () => {
    expect(shownName("plain ünï 🌱.txt")).toBe("plain ünï 🌱.txt");
    expect(shownName("caf\udce9\n\u202e\\")).toBe("caf\\xe9\\u{a}\\u{202e}\\\\");
    expect(shownName("\udce9")).not.toBe(shownName("\\xe9"));
  });
});

describe("on the file system", () => {
  let scratch: Scratch;
  beforeEach(() => void (scratch = createScratch()));
  afterEach(() => scratch.stop());

  test("a name is read and found by its bytes", async () => {
    const folder = join(scratch.folder, "names");
    mkdirSync(folder);
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/caf`), bytes(0xe9)]), "x");
    mkdirSync(fileAt(folder, "d\udcff"));
    expect(
      new Map((await entriesOf(folder)).map(({ name, entry }) => [name, entry.isDirectory()])),
    ).toEqual(
      new Map([
        ["caf\udce9", false],
        ["d\udcff", true],
      ]),
    );
    expect(await entriesOf(join(folder, "d\udcff"))).toEqual([]);
    expect(readdirSync(folder, { encoding: "buffer" })).toContainEqual(bytes(0x64, 0xff));
  });
});
