import { cpSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deliveryOf } from "@loopwork/core/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openFileInbox } from "../../src/index.ts";
import { opening, storedIn, temporaryFolder } from "./opening.ts";

const ids = Array.from({ length: 30 }, (_, n) => `d-${n}`);

/** A closed inbox with thirty deliveries in one segment, as its folder and the segment's bytes. */
async function filled(): Promise<{
  readonly folder: string;
  readonly segment: string;
  readonly bytes: Buffer;
}> {
  const folder = temporaryFolder();
  const inbox = await opening(folder);
  for (const id of ids) await inbox.append(deliveryOf(id));
  await inbox.close();
  const segment = readdirSync(folder).find((name) => name.endsWith(".log")) ?? "";
  return { folder, segment, bytes: readFileSync(join(folder, segment)) };
}

/**
 * Opens a damaged copy; returns what was kept, and checks that it goes on working and stays clean.
 */
async function reopenWith(
  folder: string,
  segment: string,
  damaged: Uint8Array,
): Promise<readonly string[]> {
  const copy = temporaryFolder();
  cpSync(folder, copy, { recursive: true });
  writeFileSync(join(copy, segment), damaged);
  const inbox = await openFileInbox(copy);
  const kept = storedIn(inbox).map((each) => each.id);
  if (kept.length < ids.length && damaged.length > 0) expect(inbox.damage.length <= 1).toBe(true);
  const lost = ids[kept.length];
  if (lost !== undefined) expect((await inbox.append(deliveryOf(lost))).kind).toBe("accepted");
  await inbox.close();
  const again = await openFileInbox(copy);
  expect(again.damage).toEqual([]);
  expect(storedIn(again).map((each) => each.id)).toEqual(
    lost === undefined ? kept : [...kept, lost],
  );
  await again.close();
  return kept;
}

test("D03 cut anywhere: the committed prefix is kept, and appending goes on", async () => {
  const { folder, segment, bytes } = await filled();
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length), async (length) => {
      const kept = await reopenWith(folder, segment, bytes.subarray(0, length));
      expect(kept).toEqual(ids.slice(0, kept.length));
    }),
    { numRuns: 60 },
  );
});

test("D03 flipped, zeroed or overwritten anywhere: what was before it is kept, nothing is made up", async () => {
  const { folder, segment, bytes } = await filled();
  const ends = recordEnds(bytes);
  await fc.assert(
    fc.asyncProperty(
      fc.nat(bytes.length - 9),
      fc.integer({ min: 1, max: 64 }),
      fc.constantFrom("flip", "zero", "ones"),
      async (at, length, how) => {
        const damaged = Buffer.from(bytes);
        const part = damaged.subarray(at, Math.min(at + length, bytes.length - 8));
        for (let n = 0; n < part.length; n += 1)
          part[n] = how === "flip" ? (part[n] ?? 0) ^ (1 << (n & 7)) : how === "zero" ? 0 : 255;
        const kept = await reopenWith(folder, segment, damaged);
        expect(kept).toEqual(ids.slice(0, kept.length));
        expect(kept.length).toBeGreaterThanOrEqual(
          damaged.equals(bytes) ? ids.length : ends.filter((end) => end <= at).length,
        );
      },
    ),
    { numRuns: 60 },
  );
});

test("D03 the tail is reported with its place", async () => {
  const { folder, segment, bytes } = await filled();
  const ends = recordEnds(bytes);
  truncateSync(join(folder, segment), (ends.at(-1) ?? 0) - 1);
  const inbox = await opening(folder);
  expect(inbox.damage).toEqual([{ segment: 1, offset: ends.at(-2), why: "torn-tail" }]);
});

test("D03 damage in a finished segment costs that segment's rest and no other", async () => {
  const folder = temporaryFolder();
  const inbox = await opening(folder, { segmentBytes: 700 });
  for (const id of ids) await inbox.append(deliveryOf(id));
  await inbox.close();
  const first = join(
    folder,
    readdirSync(folder)
      .filter((name) => name.endsWith(".log"))
      .toSorted()[0] ?? "",
  );
  const bytes = readFileSync(first);
  bytes[60] = (bytes[60] ?? 0) ^ 1;
  writeFileSync(first, bytes);
  const again = await opening(folder);
  expect(again.damage).toEqual([{ segment: 1, offset: 16, why: "damaged" }]);
  const kept = storedIn(again).map((each) => each.id);
  expect(kept.length).toBeGreaterThan(20);
  expect(ids.slice(-kept.length)).toEqual(kept);
});

/** Offsets behind each record, read with nothing but the documented frame. */
function recordEnds(bytes: Buffer): readonly number[] {
  const ends: number[] = [];
  for (let at = 16; at + 8 <= bytes.length;) {
    const length = bytes.readUInt32LE(at);
    if (length === 0) break;
    at += 8 + length;
    ends.push(at);
  }
  return ends;
}
