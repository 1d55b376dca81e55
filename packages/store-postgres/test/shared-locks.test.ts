import { setTimeout as sleep } from "node:timers/promises";
import type { HeldLock } from "@loopwork/core/ports";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSharedLocks } from "../src/index.ts";
import { makeDatabase, type TestDatabase } from "./databases.ts";

let database: TestDatabase;
beforeAll(async () => void (database = await makeDatabase()));
afterAll(() => database.drop());

const held = async (name: string): Promise<HeldLock> => {
  const lock = await createSharedLocks(database.url).acquire(name);
  if (lock === null) throw new Error(`${name} is held by somebody else`);
  return lock;
};

test("a lock is had by one at a time, and each name is a lock of its own", async () => {
  const first = await held("dispatcher-one");
  expect(await createSharedLocks(database.url).acquire("dispatcher-one")).toBeNull();
  const other = await held("dispatcher-two");
  await first.release();
  await (await held("dispatcher-one")).release();
  await other.release();
});

test("a holder whose connection was lost takes the lock again", async () => {
  const lock = await held("dispatcher-one");
  await database.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'loop lock dispatcher-one'",
  );
  while (
    (
      await database.query(
        "select 1 from pg_locks where locktype = 'advisory' and granted and database = (select oid from pg_database where datname = current_database())",
      )
    ).length === 0
  )
    await sleep(20);
  expect(await createSharedLocks(database.url).acquire("dispatcher-one")).toBeNull();
  await lock.release();
});

test("a server that is away is said to be away", async () => {
  const url = new URL(database.url);
  url.port = "1";
  await expect(createSharedLocks(url.href).acquire("x")).rejects.toMatchObject({
    code: "LOOP_E_STORE_AWAY",
  });
});
