import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Store } from "@loopwork/core/ports";
import { deliveryOf } from "@loopwork/core/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createBodies } from "../../src/sqlite/bodies.ts";
import { createDatabase, type Database } from "../../src/sqlite/database.ts";
import { createLogFlush, type LogFlush } from "../../src/sqlite/log-flush.ts";
import { migrate, readMigrations } from "../../src/sqlite/migrate.ts";
import { createSqliteStore } from "../../src/sqlite/store.ts";

let folder = "";
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "loop-flush-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A disk whose flushes end when the test says so. */
function heldDisk(): LogFlush & { readonly asked: () => number; end(error?: Error): void } {
  const ends: ((error?: Error) => void)[] = [];
  let asked = 0;
  return {
    flush: () => new Promise((resolve, reject) => (asked += ends.push((error) => (error === undefined ? resolve() : reject(error))) > 0 ? 1 : 0)),
    close: () => {},
    asked: () => asked,
    end: (error) => ends.shift()?.(error),
  };
}

function open(log: LogFlush): { readonly store: Store; readonly db: Database; readonly connection: DatabaseSync } {
  const connection = new DatabaseSync(join(folder, "loop.db"));
  connection.exec("pragma journal_mode = wal; pragma synchronous = full");
  migrate(connection, readMigrations(), 0);
  const db = createDatabase(connection, log);
  return { store: createSqliteStore(db, createBodies(db, join(folder, "bodies"), () => 0), { instance: "default", now: () => 0, maxBacklog: 100, readonly: false }), db, connection };
}

/** Lets everything happen that waits for nothing but its turn, writes off the thread too. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 50));
}

describe("answers and the flush of the log", () => {
  test("D01: nobody is answered before the flush, neither who was stored nor who repeats it", async () => {
    const disk = heldDisk();
    const { store } = open(disk);
    const answered: string[] = [];
    const append = (id: string, size: number): Promise<unknown> => store.append(deliveryOf(id, { body: new Uint8Array(size).fill(size & 255) })).then(({ kind }) => answered.push(`${id} ${kind}`));
    const first = [append("small", 10), append("large", 9_000)];
    await settled();
    const again = [append("small", 10), append("large", 9_000), append("replay", 9_000)];
    await settled();
    expect(answered).toEqual([]);
    for (let n = disk.asked(); n > 0; n -= 1) disk.end();
    await Promise.all([...first, ...again]);
    expect(answered.toSorted()).toEqual(["large accepted", "large duplicate", "replay duplicate", "small accepted", "small duplicate"]);
    await store.close();
  });

  test("D02: a flush that fails refuses everybody who waited for it, and everything after", async () => {
    const disk = heldDisk();
    const { store } = open(disk);
    const waiting = ["a", "b"].map((id) => store.append(deliveryOf(id)));
    const outcomes = Promise.allSettled(waiting);
    await settled();
    disk.end(new Error("EIO"));
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ status: "rejected", reason: { code: "LOOP_E_STORE_UNAVAILABLE" } });
    await expect(store.log.find("a")).rejects.toMatchObject({ code: "LOOP_E_STORE_BROKEN" });
    await expect(store.append(deliveryOf("c"))).rejects.toMatchObject({ message: expect.stringContaining("LOOP_E_STORE_BROKEN") });
    await store.close();
  });

  test("closing waits for the flush", async () => {
    const disk = heldDisk();
    const { store } = open(disk);
    const line = store.events.append([]);
    let closed = false;
    const closing = store.close().then(() => (closed = true));
    await settled();
    expect(closed).toBe(false);
    disk.end();
    await Promise.all([line, closing]);
  });

  test("every other transaction is flushed by its commit, also after one that failed", async () => {
    const { store, db, connection } = open(createLogFlush(join(folder, "loop.db-wal")));
    const mode = (): unknown => connection.prepare("pragma synchronous").get()?.["synchronous"];
    let during: unknown = null;
    db.writeAhead(() => (during = mode()));
    expect([during, mode()]).toEqual([1, 2]);
    expect(() => db.writeAhead(() => { throw new Error("undone"); })).toThrow("undone");
    expect(mode()).toBe(2);
    await store.append(deliveryOf("a"));
    expect(mode()).toBe(2);
    await store.close();
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
    for (const outcome of await Promise.allSettled([log.flush(), log.flush()])) expect(outcome).toMatchObject({ status: "rejected", reason: { code: "ENOENT" } });
    log.close();
  });
});
