import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Migration } from "@loopwork/store/driver";
import { readMigrations } from "../src/migrations.ts";
import { answerWithinMs } from "../src/driver.ts";
import { openPostgresStore } from "../src/open.ts";
import { makeDatabase, type TestDatabase } from "./databases.ts";

const options = { instance: "default", now: () => 5, maxBacklog: 10, readonly: false };
let database: TestDatabase;
beforeEach(async () => void (database = await makeDatabase()));
afterEach(() => database.drop());

const versions = async (): Promise<unknown> =>
  (await database.query("select version, name from schema_version order by version")).map((row) => [
    row["version"],
    row["name"],
  ]);

describe("migrations", () => {
  test("handles that open an empty database at once set it up once", async () => {
    const stores = await Promise.all(
      Array.from({ length: 6 }, () => openPostgresStore(database.url, options)),
    );
    await Promise.all(stores.map((store) => store.close()));
    expect(await versions()).toEqual(readMigrations().map(({ version, name }) => [version, name]));
  });

  test("D06: one that fails half-way leaves the schema as it was, and a later one goes on from there", async () => {
    const known = readMigrations();
    const next = (sql: string): Migration => ({ version: known.length + 1, name: "next", sql });
    await (await openPostgresStore(database.url, options)).close();
    await expect(
      openPostgresStore(database.url, options, [
        ...known,
        next("create table extra (a integer); create table delivery (a integer)"),
      ]),
    ).rejects.toThrow(/already exists/);
    expect(await database.query("select to_regclass('extra') as extra")).toEqual([{ extra: null }]);
    await expect(
      openPostgresStore(database.url, { ...options, mayMigrate: () => false }, [
        ...known,
        next("create table extra (a integer)"),
      ]),
    ).rejects.toMatchObject({ code: "LOOP_E_STORE_OLDER" });
    await (
      await openPostgresStore(database.url, options, [
        ...known,
        next("create table extra (a integer)"),
      ])
    ).close();
    expect(await versions()).toHaveLength(known.length + 1);
  });

  test(
    "one may take longer than a service ever waits for an answer",
    { timeout: 120_000 },
    async () => {
      const known = readMigrations();
      await (await openPostgresStore(database.url, options)).close();
      await (
        await openPostgresStore(database.url, options, [
          ...known,
          {
            version: known.length + 1,
            name: "slow",
            sql: `select pg_sleep(${answerWithinMs / 1000 + 1})`,
          },
        ])
      ).close();
      expect(await versions()).toHaveLength(known.length + 1);
    },
  );

  test("D06: an older program refuses a newer schema and changes nothing", async () => {
    await (await openPostgresStore(database.url, options)).close();
    await database.query(
      "insert into schema_version (version, name, applied_at) values (9999, 'future', 0); delete from instance",
    );
    for (const readonly of [false, true])
      await expect(openPostgresStore(database.url, { ...options, readonly })).rejects.toMatchObject(
        {
          code: "LOOP_E_STORE_NEWER",
        },
      );
    expect(await database.query("select * from instance")).toEqual([]);
  });
});
