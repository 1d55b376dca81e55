import { readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { bytesOf, deliveryOf } from "@loopwork/core/testing";
import { describe, expect, test } from "vitest";
import { rewritePath, sparePath } from "../../src/file-inbox/recover.ts";
import { segmentPath } from "../../src/file-inbox/segment.ts";
import { opening, storedIn, temporaryFolder } from "./opening.ts";

const small = { segmentBytes: 5000, keepBytes: 10_000 };
const bodyOf = (n: number): Uint8Array => bytesOf(`{"n":${n},"pad":"${"x".repeat(900)}"}`);

describe("bodies that were handed on", () => {
  test("are dropped when room is needed; ids and digests are kept, also after opening again", async () => {
    const folder = temporaryFolder();
    const inbox = await opening(folder, small);
    for (let n = 1; n <= 100; n += 1) {
      await inbox.append(deliveryOf(`r-${n}`, { body: bodyOf(n) }));
      inbox.release(n);
    }
    await expect
      .poll(() => storedIn(inbox).filter((each) => each.body !== null).length)
      .toBeLessThan(20);
    for (const current of [inbox, null]) {
      if (current === null) await inbox.close();
      const open = current ?? (await opening(folder, small));
      expect(storedIn(open)).toHaveLength(100);
      expect(await open.append(deliveryOf("r-1"))).toEqual({
        kind: "duplicate",
        why: "id",
        of: "r-1",
      });
      expect(
        await open.append(deliveryOf(`other-${current === null}`, { body: bodyOf(2) })),
      ).toEqual({ kind: "duplicate", why: "replay", of: "r-2" });
    }
  });

  test("give their blocks to later segments: the folder stops growing but for ids", async () => {
    const folder = temporaryFolder();
    const inbox = await opening(folder, small);
    const sizeAfter = async (count: number, from: number): Promise<number> => {
      for (let n = from; n < from + count; n += 1) {
        await inbox.append(deliveryOf(`s-${n}`, { body: bodyOf(n) }));
        inbox.release(n);
      }
      return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    };
    const first = await sizeAfter(100, 1);
    const second = await sizeAfter(100, 101);
    expect(second - first).toBeLessThan(100 * 300);
    await inbox.close();
    const again = await opening(folder, small);
    expect(again.damage).toEqual([]);
    expect(storedIn(again).map((each) => each.id)).toEqual(
      Array.from({ length: 200 }, (_, n) => `s-${n + 1}`),
    );
  });

  test("that were not handed on are never dropped", async () => {
    const inbox = await opening(temporaryFolder(), small);
    for (let n = 1; n <= 50; n += 1) await inbox.append(deliveryOf(`n-${n}`, { body: bodyOf(n) }));
    inbox.release(10);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(
      storedIn(inbox)
        .filter((each) => each.seq > 10)
        .every((each) => each.body !== null),
    ).toBe(true);
  });
});

describe("D01 a crash while bodies are dropped", () => {
  const crashed = async (change: (folder: string) => void): Promise<readonly string[]> => {
    const folder = temporaryFolder();
    const inbox = await opening(folder, { segmentBytes: 5000 });
    for (let n = 1; n <= 20; n += 1) await inbox.append(deliveryOf(`c-${n}`, { body: bodyOf(n) }));
    await inbox.close();
    change(folder);
    const again = await opening(folder, { segmentBytes: 5000 });
    expect(again.damage).toEqual([]);
    return storedIn(again).map((each) => each.id);
  };
  const all = Array.from({ length: 20 }, (_, n) => `c-${n + 1}`);

  test("before the segment was moved aside: the rewrite is forgotten", async () => {
    expect(
      await crashed((folder) => renameSync(segmentPath(folder, 4), rewritePath(folder, 9))),
    ).toHaveLength(16);
    expect(await crashed(() => {})).toEqual(all);
  });

  test("after it was moved aside: the rewrite takes its place", async () => {
    const kept = await crashed((folder) => {
      // What the last step but one leaves behind: the old file aside, the rewrite not yet in its
      // place.
      renameSync(segmentPath(folder, 2), rewritePath(folder, 2));
      renameSync(segmentPath(folder, 5), sparePath(folder, 2));
    });
    expect(kept).toEqual(all.slice(0, 16));
  });

  test("a spare that was taken and not yet written is no record of anything", async () => {
    const kept = await crashed((folder) => {
      renameSync(segmentPath(folder, 1), segmentPath(folder, 6));
      rmSync(join(folder, "lock.db"), { force: true });
    });
    expect(kept).toEqual(all.slice(4));
  });
});
