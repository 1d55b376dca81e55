import { setTimeout as sleep } from "node:timers/promises";
import type { InstanceRow } from "@loopwork/core/ports";
import { deliveryOf } from "@loopwork/core/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decided, lineOf, refText, turnFor, workItemOf } from "../../store/src/contract/build.ts";
import { openPostgresStore } from "../src/index.ts";
import { createDatabase, type Database, type Tx } from "../src/database.ts";
import { openPool } from "../src/driver.ts";
import { appendLines, createPostgresEvents } from "../src/events.ts";
import { lockInstance } from "../src/locks.ts";
import { createPostgresLog } from "../src/log.ts";
import { placeOf } from "../src/url.ts";
import { makeDatabase, type TestDatabase } from "./databases.ts";

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await makeDatabase();
  await (await openPostgresStore(database.url, { instance: "default", now: Date.now })).close();
  db = createDatabase(openPool(database.url, "test"), placeOf(database.url), false);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

/** The guard off: statements that take a lock of the server do nothing. */
function withoutLocks(guarded: Database): Database {
  const unlocked = (tx: Tx): Tx => ({
    ...tx,
    run: async (sql, ...values) =>
      sql.includes("pg_advisory_xact_lock") ? 0 : tx.run(sql, ...values),
  });
  return { ...guarded, write: (work) => guarded.write((tx) => work(unlocked(tx))) };
}

/**
 * Lets one transaction append a line and stay open while another appends one; what a follower sees
 * then, and what at the end.
 */
async function followed(
  under: Database,
): Promise<{ readonly early: readonly string[]; readonly end: readonly string[] }> {
  const events = createPostgresEvents(under);
  await events.forget(Number.MAX_SAFE_INTEGER);
  let commit = (): void => {};
  const mayCommit = new Promise<void>((resolve) => (commit = resolve));
  let numbered = (): void => {};
  const hasNumber = new Promise<void>((resolve) => (numbered = resolve));
  const first = under.write(async (tx) => {
    await appendLines(tx, [lineOf({ reason: "first" })]);
    numbered();
    await mayCommit;
  });
  await hasNumber;
  let done = false;
  const second = events.append([lineOf({ reason: "second" })]).then(() => (done = true));
  while (!done && !(await waits())) await sleep(5);
  const seen = async (): Promise<readonly string[]> =>
    (await events.list({ limit: 9 })).map(({ reason }) => reason ?? "");
  const early = await seen();
  commit();
  await Promise.all([first, second]);
  return { early, end: await seen() };
}

/** Whether a transaction waits for a lock of another. */
async function waits(): Promise<boolean> {
  return (
    (await database.query("select 1 from pg_locks where not granted and locktype = 'advisory'"))
      .length > 0
  );
}

describe("the event log is numbered in the order of the commits", () => {
  test("a follower never sees a line before one with a smaller number", async () => {
    expect(await followed(db)).toEqual({ early: [], end: ["first", "second"] });
  });

  test("the check can fail: without the lock a line is seen before one that gets a smaller number", async () => {
    expect(await followed(withoutLocks(db))).toEqual({
      early: ["second"],
      end: ["first", "second"],
    });
  });
});

/**
 * Two instances decide two starts of one new work item at the same time; how many of them claim it.
 */
async function claims(under: Database, item: number): Promise<number> {
  const store = await openPostgresStore(database.url, { instance: "default", now: Date.now });
  const seqs = await Promise.all(
    ["a", "b"].map(async (name) => seqOf(await store.append(deliveryOf(`start-${item}-${name}`)))),
  );
  await store.close();
  let loaded = 0;
  const outcomes = await Promise.all(
    seqs.map(async (seq, n) => {
      const name = `i-${n}`;
      const log = createPostgresLog({
        db: meeting(
          under,
          () => (loaded += 1),
          () => loaded,
        ),
        instance: name,
        now: Date.now,
        given: new Map(),
        counts: { lateWrites: 0 },
        life: { incarnation: null },
      });
      return log.decide(seq, refText(item), (state) => {
        if (state.workItem?.control.instance != null) return decided();
        const control = { ...workItemOf(item).control, status: "started" as const, instance: name };
        return decided({
          effects: [turnFor(`start-${item}-${n === 0 ? "a" : "b"}`, item, "spawn")],
          after: { ...state, workItem: workItemOf(item, { control }) },
        });
      });
    }),
  );
  return outcomes.filter((each) => each?.decision.effects.length === 1).length;
}

/**
 * Who has loaded the state waits, as long as nobody stands before a lock, until the other has
 * loaded it too.
 */
function meeting(under: Database, loads: () => void, loaded: () => number): Database {
  const meet = (tx: Tx): Tx => ({
    ...tx,
    run: async (sql, ...values) => {
      if (sql.startsWith("insert into decision")) {
        loads();
        while (loaded() < 2 && !(await waits())) await sleep(5);
      }
      return tx.run(sql, ...values);
    },
  });
  return { ...under, write: (work) => under.write((tx) => work(meet(tx))) };
}

function seqOf(answer: { readonly kind: string; readonly seq?: number }): number {
  if (answer.seq === undefined) throw new Error(`not accepted but ${answer.kind}`);
  return answer.seq;
}

describe("S08: a new work item is claimed by exactly one of the instances that decide at the same time", () => {
  test("with the lock of the work item", async () => {
    expect(await claims(db, 1)).toBe(1);
  });

  test("the check can fail: without the lock both claim it", async () => {
    expect(await claims(withoutLocks(db), 2)).toBe(2);
  });
});

test("a connection that is lost between two statements ends no process: the work runs again on another one", async () => {
  let runs = 0;
  const result = await db.write(async (tx) => {
    runs += 1;
    const row = await tx.get("select pg_backend_pid() as pid");
    if (runs === 1) {
      await database.query(`select pg_terminate_backend(${Number(row?.["pid"])})`);
      while (
        (await database.query(`select 1 from pg_stat_activity where pid = ${Number(row?.["pid"])}`))
          .length > 0
      )
        await sleep(5);
    }
    return tx.get("select 1 as one");
  });
  expect([runs, result]).toEqual([2, { one: 1 }]);
});

test("deliveries of many handles are numbered in the order of the commits: a reader that follows the numbers misses none", async () => {
  const writers = await Promise.all(
    Array.from({ length: 4 }, () =>
      openPostgresStore(database.url, { instance: "default", now: Date.now }),
    ),
  );
  const total = 200;
  const read: number[] = [];
  const append = Promise.all(
    Array.from({ length: total }, (_, n) =>
      writers[n % writers.length]?.append(
        deliveryOf(`w-${n}`, { digest: n.toString(16).padStart(64, "0") }),
      ),
    ),
  );
  let over = false;
  void append.then(
    () => (over = true),
    () => (over = true),
  );
  for (let last = false; !last;) {
    last = over;
    const rows = await writers[0]?.log.list({ afterSeq: read.at(-1) ?? 0, limit: 1_000 });
    read.push(...(rows ?? []).filter(({ id }) => id.startsWith("w-")).map(({ seq }) => seq));
  }
  await append;
  expect(read).toHaveLength(total);
  await Promise.all(writers.map((store) => store.close()));
});

describe("what adopting gives back is decided again, whoever moves the cursor of the instance meanwhile", () => {
  /**
   * Lets an instance decide about another item while its adoption of one has been written and not
   * yet committed; what is left to decide.
   */
  async function leftAfterAdopting(name: string): Promise<readonly string[]> {
    const [north, south] = await Promise.all(
      [`north-${name}`, `south-${name}`].map((instance) =>
        openPostgresStore(database.url, { instance, now: Date.now }),
      ),
    );
    if (north === undefined || south === undefined) throw new Error("not opened");
    const [item, other] = [refText(100), refText(101)];
    const control = {
      ...workItemOf(100).control,
      status: "started" as const,
      instance: `north-${name}`,
    };
    await north.items.update(item, (state) => ({
      after: { ...state, workItem: workItemOf(100, { control }) },
      lines: [],
    }));
    await south.append(deliveryOf(`missed-${name}`));
    await south.append(deliveryOf(`other-${name}`));
    const undecided = await south.log.undecided(1_000);
    const last = undecided.at(-1)?.seq ?? 0;
    for (const { seq } of undecided)
      if (seq !== last)
        await south.log.decide(seq, item, () =>
          decided({
            decision: { verdict: { kind: "ignored" }, reason: "owned-elsewhere", effects: [] },
          }),
        );

    let letGo = (): void => {};
    const mayGo = new Promise<void>((resolve) => (letGo = resolve));
    // Its line waits for this one, and its transaction with it.
    const before = db.write((tx) => appendLines(tx, [lineOf()]).then(() => mayGo));
    while (!(await isHeld("granted"))) await sleep(5);
    const adopting = south.instances.adopt(`north-${name}`, item, {
      fold: (state) => state,
      note: "gone",
      check: () => {},
      lines: () => [lineOf()],
    });
    while (!(await isHeld("not granted"))) await sleep(5);
    const deciding = south.log.decide(last, other, () => decided());
    while (
      (
        await database.query(
          "select 1 from pg_locks where not granted and locktype = 'transactionid'",
        )
      ).length === 0
    )
      await sleep(5);
    letGo();
    await Promise.all([before, adopting, deciding]);
    const left = (await south.log.undecided(1_000)).map(({ id }) => id);
    await Promise.all([north.close(), south.close()]);
    return left;
  }

  test("a cursor that waited for the adoption does not pass what it gave back", async () => {
    expect(await leftAfterAdopting("a")).toContain("missed-a");
  });
});

test("S09: an owner whose life begins while it is adopted from keeps its work: who adopts sees that life", async () => {
  const [north, south] = await Promise.all(
    ["north-life", "south-life"].map((instance) =>
      openPostgresStore(database.url, { instance, now: Date.now }),
    ),
  );
  if (north === undefined || south === undefined) throw new Error("not opened");
  const item = refText(200);
  const control = {
    ...workItemOf(200).control,
    status: "started" as const,
    instance: "north-life",
  };
  await north.items.update(item, (state) => ({
    after: { ...state, workItem: workItemOf(200, { control }) },
    lines: [],
  }));
  let letGo = (): void => {};
  const mayGo = new Promise<void>((resolve) => (letGo = resolve));
  const entering = db.write(async (tx) => {
    await lockInstance(tx, "north-life");
    await tx.run(
      "insert into instance (name, incarnation, machine, scope, started_at, seen_at, ended) values ('north-life', 'one', 'here', '{}', loop_now(), loop_now(), false)",
    );
    await mayGo;
  });
  while (!(await isHeld("granted"))) await sleep(5);
  const check = (row: InstanceRow | null): void => {
    if (row !== null) throw new Error(`${row.name} lives`);
  };
  let done = false;
  const adopting = south.instances
    .adopt("north-life", item, { fold: (state) => state, note: "gone", check, lines: () => [] })
    .finally(() => (done = true));
  adopting.catch(() => {});
  while (!done && !(await isHeld("not granted"))) await sleep(5);
  letGo();
  await entering;
  await expect(adopting).rejects.toThrow("north-life lives");
  expect((await north.items.load(item)).workItem?.control.instance).toBe("north-life");
  await Promise.all([north.close(), south.close()]);
});

async function isHeld(how: "granted" | "not granted"): Promise<boolean> {
  return (
    (await database.query(`select 1 from pg_locks where locktype = 'advisory' and ${how}`)).length >
    0
  );
}
