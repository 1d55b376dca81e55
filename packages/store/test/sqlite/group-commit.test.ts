import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { lineOf } from "../../src/contract/build.ts";
import { createDatabase, type Database } from "../../src/sqlite/database.ts";
import { appendLines } from "../../src/sqlite/events.ts";
import { createGroupCommit, type GroupCommit } from "../../src/sqlite/group-commit.ts";
import { migrate, readMigrations } from "../../src/sqlite/migrate.ts";

let folder = "";
let db: Database;
let commits = 0;
let failing = false;
let group: GroupCommit<null>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loop-group-"));
  const connection = new DatabaseSync(join(folder, "loop.db"));
  migrate(connection, readMigrations(), 0);
  const real = createDatabase(connection);
  commits = 0;
  failing = false;
  db = {
    ...real,
    write: (work) =>
      real.write(() => {
        const result = work();
        if (failing) throw Object.assign(new Error("disk I/O error"), { errcode: 10 });
        commits += 1;
        return result;
      }),
  };
  group = createGroupCommit(db, { begin: () => null, finish: () => {}, undone: () => {} });
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

const write = (reason: string): Promise<void> =>
  group.submit(() => appendLines(db, [lineOf({ reason })]));
const written = (): readonly unknown[] =>
  db.all("select reason from event order by id").map((row) => row["reason"]);

describe("group commit", () => {
  test("what arrives in one round shares one transaction, in order", async () => {
    await Promise.all(Array.from({ length: 100 }, (_, n) => write(`${n}`)));
    expect(commits).toBe(1);
    expect(written()).toEqual(Array.from({ length: 100 }, (_, n) => `${n}`));
  });

  test("nobody is answered before the commit", async () => {
    const answered: number[] = [];
    const first = write("a").then(() => answered.push(commits));
    await Promise.resolve();
    expect([commits, answered]).toEqual([0, []]);
    await first;
    expect(answered).toEqual([1]);
  });

  test("one work that cannot be done takes no other down, and leaves nothing behind", async () => {
    const bad = group.submit(() => {
      appendLines(db, [lineOf({ reason: "half" })]);
      throw new Error("a bug");
    });
    const outcomes = await Promise.allSettled([write("a"), bad, write("b")]);
    expect(outcomes.map((each) => each.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(written()).toEqual(["a", "b"]);
  });

  test("D02: a commit that fails on the disk rejects everybody who waited for it, and everybody after", async () => {
    failing = true;
    const outcomes = await Promise.allSettled([write("a"), write("b")]);
    expect(outcomes.map((each) => each.status === "rejected" && each.reason.code)).toEqual([
      "LOOP_E_STORE_BROKEN",
      "LOOP_E_STORE_BROKEN",
    ]);
    failing = false;
    await expect(write("c")).rejects.toMatchObject({ code: "LOOP_E_STORE_BROKEN" });
  });

  test("closing commits what waits and refuses what comes", async () => {
    const waiting = write("a");
    await group.close();
    await waiting;
    await expect(write("b")).rejects.toMatchObject({ code: "LOOP_E_STORE_CLOSED" });
    expect(written()).toEqual(["a"]);
  });
});
