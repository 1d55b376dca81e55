import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deliveryOf } from "@loopwork/core/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createLogFlush } from "../../src/sqlite/log-flush.ts";
import { heldDisk, openOver, settled } from "./held-disk.ts";

let folder = "";
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "loop-flush-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("answers and the flush of the log", () => {
  test("D01: nobody is answered before the flush, neither who was stored nor who repeats it", async () => {
    const disk = heldDisk();
    const { store } = openOver(folder, disk);
    const answered: string[] = [];
    const append = (id: string, size: number): Promise<unknown> =>
      store
        .append(deliveryOf(id, { body: new Uint8Array(size).fill(size & 255) }))
        .then(({ kind }) => answered.push(`${id} ${kind}`));
    const first = [append("small", 10), append("large", 9_000)];
    await settled();
    const again = [append("small", 10), append("large", 9_000), append("replay", 9_000)];
    await settled();
    expect(answered).toEqual([]);
    for (let n = disk.asked(); n > 0; n -= 1) disk.end();
    await Promise.all([...first, ...again]);
    expect(answered.toSorted()).toEqual([
      "large accepted",
      "large duplicate",
      "replay duplicate",
      "small accepted",
      "small duplicate",
    ]);
    await store.close();
  });

  test("D02: a flush that fails refuses everybody who waited for it, and everything after", async () => {
    const disk = heldDisk();
    const { store } = openOver(folder, disk);
    const waiting = ["a", "b"].map((id) => store.append(deliveryOf(id)));
    const outcomes = Promise.allSettled(waiting);
    await disk.endNext(new Error("EIO"));
    for (const outcome of await outcomes)
      expect(outcome).toMatchObject({
        status: "rejected",
        reason: { code: "LOOP_E_STORE_UNAVAILABLE" },
      });
    await expect(store.log.find("a")).rejects.toMatchObject({ code: "LOOP_E_STORE_BROKEN" });
    await expect(store.append(deliveryOf("c"))).rejects.toMatchObject({
      message: expect.stringContaining("LOOP_E_STORE_BROKEN"),
    });
    await store.close();
  });

  test("closing waits for the flush", async () => {
    const disk = heldDisk();
    const { store } = openOver(folder, disk);
    const line = store.events.append([]);
    let closed = false;
    const closing = store.close().then(() => (closed = true));
    await settled();
    expect(closed).toBe(false);
    await disk.endNext();
    await Promise.all([line, closing]);
  });
});

describe("a flush of the log", () => {
  test("is shared by those who ask while another runs, and takes place again for who asks later", async () => {
    const path = join(folder, "x-wal");
    writeFileSync(path, "frames");
    const log = createLogFlush(path);
    const first = log.flush();
    const [second, third] = [log.flush(), log.flush()];
    expect(second).toBe(third);
    expect(second).not.toBe(first);
    await Promise.all([first, second]);
    expect(log.flush()).not.toBe(second);
    await log.flush();
    log.close();
  });

  test("tells how long it took, once for all who share it, and not when it failed", async () => {
    const path = join(folder, "x-wal");
    writeFileSync(path, "frames");
    const took: number[] = [];
    const log = createLogFlush(path, (ms) => took.push(ms));
    await Promise.all([log.flush(), log.flush(), log.flush()]);
    log.close();
    const missing = createLogFlush(join(folder, "missing-wal"), (ms) => took.push(ms));
    await expect(missing.flush()).rejects.toThrow();
    expect(took).toHaveLength(2);
    expect(took.every((ms) => ms >= 0)).toBe(true);
  });

  test("rejects where there is no log, for all who share it", async () => {
    const log = createLogFlush(join(folder, "missing-wal"));
    for (const outcome of await Promise.allSettled([log.flush(), log.flush()]))
      expect(outcome).toMatchObject({ status: "rejected", reason: { code: "ENOENT" } });
    log.close();
  });

  test("one that runs ends well though the log is closed meanwhile; who asks later is refused", async () => {
    const path = join(folder, "x-wal");
    writeFileSync(path, "frames");
    const log = createLogFlush(path);
    const [running, next] = [log.flush(), log.flush()];
    log.close();
    await expect(running).resolves.toBeUndefined();
    await expect(next).rejects.toMatchObject({ code: "LOOP_E_STORE_CLOSED" });
    await expect(log.flush()).rejects.toMatchObject({ code: "LOOP_E_STORE_CLOSED" });
  });
});
