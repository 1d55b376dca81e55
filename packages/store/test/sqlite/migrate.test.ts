import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  dumpSchema,
  migrate,
  type Migration,
  readMigrations,
  requireCurrent,
  requireMigratable,
} from "../../src/sqlite/migrate.ts";

const first: Migration = {
  version: 1,
  name: "one",
  sql: "create table schema_version (version integer primary key, name text not null, applied_at integer not null) strict; create table one (a) ",
};
const second: Migration = { version: 2, name: "two", sql: "create table two (a)" };
const broken: Migration = {
  version: 2,
  name: "two",
  sql: "create table two (a); create table one (a)",
};

let folder = "";
let file = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loop-migrate-"));
  file = join(folder, "loop.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("migrations", () => {
  test("the schema they add up to is the one that was checked in (written anew by `vitest run -u`)", async () => {
    using db = new DatabaseSync(":memory:");
    migrate(db, readMigrations(), 0);
    await expect(dumpSchema(db)).toMatchFileSnapshot("../../migrations/schema.sql");
  });

  test("the drift check can fail: one column more is a difference", () => {
    using db = new DatabaseSync(":memory:");
    migrate(db, readMigrations(), 0);
    db.exec("alter table repository add column extra text");
    expect(dumpSchema(db)).not.toBe(
      readFileSync(new URL("../../migrations/schema.sql", import.meta.url), "utf8"),
    );
  });

  test("those that are missing are applied in order, once", () => {
    using db = new DatabaseSync(file);
    migrate(db, [first], 5);
    migrate(db, [first, second], 6);
    migrate(db, [first, second], 7);
    expect(
      db
        .prepare("select version, name, applied_at from schema_version")
        .all()
        .map((row) => Object.values(row)),
    ).toEqual([
      [1, "one", 5],
      [2, "two", 6],
    ]);
  });

  test("D06: one that fails half-way leaves the schema as it was", () => {
    using db = new DatabaseSync(file);
    migrate(db, [first], 0);
    const before = dumpSchema(db);
    expect(() => migrate(db, [first, broken], 0)).toThrow("already exists");
    expect(dumpSchema(db)).toBe(before);
    migrate(db, [first, second], 0);
    expect(dumpSchema(db)).toContain("TABLE two (a)");
  });

  test("D06: a process that is killed in the middle of a migration leaves the old schema, which then migrates", async () => {
    const url = new URL("../../src/sqlite/migrate.ts", import.meta.url).href;
    const program = `
      import { DatabaseSync } from "node:sqlite";
      import { migrate } from ${JSON.stringify(url)};
      const db = new DatabaseSync(${JSON.stringify(file)});
      db.exec("pragma journal_mode = wal");
      db.function("stall", () => { process.stdout.write("half-way\\n"); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); });
      migrate(db, ${JSON.stringify([first, { ...second, sql: `${second.sql}; select stall()` }])}, 0);`;
    const child = spawn(
      process.execPath,
      ["--conditions=@loopwork/source", "--input-type=module", "-e", program],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    await once(child.stdout, "data");
    child.kill("SIGKILL");
    await once(child, "exit");
    using db = new DatabaseSync(file);
    expect(dumpSchema(db)).toBe("\n");
    migrate(db, [first, second], 0);
    expect(dumpSchema(db)).toContain("TABLE two (a)");
  });

  test("D06: a newer schema is refused, and a reader needs exactly its own", () => {
    using db = new DatabaseSync(file);
    migrate(db, [first, second], 0);
    expect(() => migrate(db, [first], 0)).toThrow(
      expect.objectContaining({ code: "LOOP_E_STORE_NEWER" }),
    );
    expect(() => requireCurrent(db, [first])).toThrow(
      expect.objectContaining({ code: "LOOP_E_STORE_NEWER" }),
    );
    expect(() => requireCurrent(db, [first, second, { ...second, version: 3 }])).toThrow(
      expect.objectContaining({ code: "LOOP_E_STORE_MISSING" }),
    );
  });

  test("D06: an older schema stays where it may not be changed", () => {
    using db = new DatabaseSync(file);
    const mayNot = (): boolean => false;
    requireMigratable(db, [first, second], mayNot);
    migrate(db, [first], 0);
    expect(() => requireMigratable(db, [first, second], mayNot)).toThrow(
      expect.objectContaining({ code: "LOOP_E_STORE_OLDER" }),
    );
    requireMigratable(db, [first, second]);
    requireMigratable(db, [first], mayNot);
  });

  test("versions count up from 1 without a gap", () => {
    expect(readMigrations().map((migration) => migration.version)).toEqual(
      readMigrations().map((_, n) => n + 1),
    );
    for (const migration of readMigrations()) expect(migration.sql.length).toBeGreaterThan(0);
  });
});
