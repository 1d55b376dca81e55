import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sameBytes } from "@loopwork/core/testing";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { alignedMemory, openSegmentFile } from "../../src/sqlite/segment-file.ts";
import { createSegments } from "../../src/sqlite/segments.ts";

let folder = "";
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "loop-segment-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const pathOf = (number: number): string =>
  join(folder, `${String(number).padStart(8, "0")}.bodies`);
const bytes = (length: number, value: number): Uint8Array => new Uint8Array(length).fill(value);

describe("a segment that is being written", () => {
  test("gives every part back, from memory and from the disk, whatever their sizes", async () => {
    const sizes = fc.oneof(
      { weight: 8, arbitrary: fc.integer({ min: 0, max: 20_000 }) },
      fc.constantFrom(4_096, 8_192, 4 * 1024 * 1024, 4 * 1024 * 1024 + 1),
    );
    const groups = fc.array(fc.array(sizes, { minLength: 1, maxLength: 5 }), {
      minLength: 1,
      maxLength: 6,
    });
    let number = 0;
    await fc.assert(
      fc.asyncProperty(groups, async (written) => {
        number += 1;
        const [writer, reader] = [createSegments(folder), createSegments(folder)];
        const places: { readonly start: number; readonly body: Uint8Array }[] = [];
        let next = 0;
        for (const group of written) {
          const parts = group.map((size) => bytes(size, places.length + size + 1));
          let start = next;
          for (const body of parts)
            places.push({ start: (start += body.length) - body.length, body });
          next = await writer.write(number, next, parts);
          if (next < start) throw new Error("the next place lies in the last part");
        }
        for (const { start, body } of places)
          for (const segments of [writer, reader])
            expect(sameBytes(segments.read(number, start, body.length), body)).toBe(true);
        writer.close();
        rmSync(pathOf(number));
      }),
      { numRuns: 30 },
    );
  });

  test("recalls what was written last without reading, and nothing else", async () => {
    const file = openSegmentFile(pathOf(1), folder, alignedMemory());
    const first = await file.write(0, [bytes(5_000, 1), bytes(300, 2)]);
    rmSync(pathOf(1));
    // A file system that knows no writing past its cache keeps its own memory of the file.
    const recalled = file.recall(5_000, 300);
    if (recalled !== null) {
      expect(recalled).toEqual(bytes(300, 2));
      expect(file.recall(5_000, 300 + first)).toBeNull();
      await file.write(first, [bytes(4 * 1024 * 1024 - 4_096, 3)]);
      expect([file.recall(0, 5_000), file.recall(first, 9)]).toEqual([null, bytes(9, 3)]);
    }
    file.close();
  });

  test("pads with zeros: nothing of an earlier body stands behind a shorter one", async () => {
    const file = openSegmentFile(pathOf(1), folder, alignedMemory());
    const next = await file.write(0, [bytes(4 * 1024 * 1024, 7)]);
    await file.write(next, [bytes(10, 8)]);
    expect(createSegments(folder).read(1, next, 4_096)?.subarray(8, 4_096)).toEqual(
      Uint8Array.from({ length: 4_088 }, (_, n) => (n < 2 ? 8 : 0)),
    );
    file.close();
  });

  test("D02: what the disk has no room for is refused, on the way past the cache and through it", async () => {
    symlinkSync("/dev/full", pathOf(1));
    const file = openSegmentFile(pathOf(1), folder, alignedMemory());
    for (const length of [100, 5 * 1024 * 1024])
      await expect(file.write(0, [bytes(length, 1)])).rejects.toMatchObject({ code: "ENOSPC" });
    file.close();
  });

  test("is written through the cache once the file system refuses the other way", async () => {
    const misaligned = alignedMemory().subarray(1);
    const file = openSegmentFile(pathOf(1), folder, misaligned);
    let next = 0;
    for (let n = 0; n < 3; n += 1) next = await file.write(next, [bytes(100, n + 1)]);
    const read = createSegments(folder);
    expect(read.read(1, next - 100, 100)).toEqual(bytes(100, 3));
    expect(next).toBe(300);
    file.close();
  });
});
