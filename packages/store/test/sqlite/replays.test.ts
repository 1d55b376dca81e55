import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type NewDelivery, replayWindowMs } from "@loopwork/core/ports";
import { bytesOf, deliveryOf, noon } from "@loopwork/core/testing";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStore } from "../../src/index.ts";
import { createDatabase, type Database } from "../../src/sqlite/database.ts";
import { migrate, readMigrations } from "../../src/sqlite/migrate.ts";
import { createReplays, type Replays } from "../../src/sqlite/replays.ts";

let folder = "";
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "loop-replays-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Handle = { readonly db: Database; readonly replays: Replays };

/** A handle that puts deliveries into the index `together` at a time. */
function handle(file: string, together: number): Handle {
  const connection = new DatabaseSync(file);
  connection.exec("pragma journal_mode = wal; pragma synchronous = off");
  migrate(connection, readMigrations(), 0);
  const db = createDatabase(connection);
  return { db, replays: createReplays(db, together) };
}

function insert(db: Database, { id, event, verified, receivedAt, digest }: NewDelivery): number {
  return db.run(
    "insert into delivery (id, source, event, verified, received_at, digest) values (?, 'webhook', ?, ?, ?, ?)",
    id,
    event,
    verified ? 1 : 0,
    receivedAt,
    digest,
  ).id;
}

/**
 * What a group of deliveries replays, those that replay nothing being stored; undone when `fails`.
 */
function store(
  { db, replays }: Handle,
  group: readonly NewDelivery[],
  fails: boolean,
): readonly (string | null)[] {
  try {
    return db.write(() => {
      replays.sync();
      const before = replays.findAll(group);
      const since = replays.known();
      const answers = group.map((delivery, n) => {
        const of = before[n] ?? replays.find(delivery, since);
        if (of === null) replays.note(delivery, insert(db, delivery));
        return of;
      });
      replays.index();
      if (fails) throw new Error("undone");
      return answers;
    });
  } catch {
    replays.forget();
    return [];
  }
}

/** The same by its definition. */
function storeInModel(model: NewDelivery[], group: readonly NewDelivery[]): readonly boolean[] {
  return group.map((delivery) => {
    const isReplay =
      delivery.verified &&
      delivery.allowReplay !== true &&
      model.some(
        (each) =>
          each.verified &&
          each.event === delivery.event &&
          each.digest === delivery.digest &&
          each.receivedAt >= delivery.receivedAt - replayWindowMs,
      );
    if (!isReplay) model.push(delivery);
    return isReplay;
  });
}

const deliveries = fc.record({
  event: fc.constantFrom("issues", "status"),
  // The first two differ after their beginning only.
  digest: fc.constantFrom(`${"a".repeat(12)}1`, `${"a".repeat(12)}2`, "b", ""),
  verified: fc.boolean(),
  allowReplay: fc.boolean(),
  receivedAt: fc.integer({ min: 0, max: 4 }).map((step) => noon + (step * replayWindowMs) / 2),
});
const steps = fc.array(
  fc.record({
    first: fc.boolean(),
    fails: fc.nat(5).map((n) => n === 0),
    group: fc.array(deliveries, { minLength: 1, maxLength: 4 }),
  }),
  { maxLength: 25 },
);

describe("replays", () => {
  test("R04: are found as their definition says, by two handles in turn, whatever is in the index and whatever was undone", () => {
    let run = 0;
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 8 }), (taken, together) => {
        run += 1;
        const file = join(folder, `${run}.db`);
        const [one, two] = [handle(file, together), handle(file, together)];
        const model: NewDelivery[] = [];
        let n = 0;
        for (const { first, fails, group } of taken) {
          const named = group.map((each) => deliveryOf(`d-${(n += 1)}`, each));
          const answers = store(first ? one : two, named, fails);
          if (!fails) expect(answers.map((of) => of !== null)).toEqual(storeInModel(model, named));
        }
        one.db.close();
        two.db.close();
      }),
      { numRuns: 150 },
    );
  });

  test("what was asked for before is not looked up again, unless it went into the index meanwhile", () => {
    const [one, two] = [handle(join(folder, "x.db"), 2), handle(join(folder, "x.db"), 2)];
    const [a, b, c] = ["a", "b", "c"].map((id) => deliveryOf(id, { digest: id }));
    if (a === undefined || b === undefined || c === undefined) throw new Error("not all made");
    one.replays.sync();
    const since = one.replays.known();
    store(two, [a, b], false);
    store(two, [c], false);
    one.replays.sync();
    for (const each of [a, b, c])
      expect(one.replays.find({ ...each, id: "later" }, since)).toBe(each.id);
    expect(one.replays.find({ ...a, id: "later" }, one.replays.known())).toBeNull();
    for (const { db } of [one, two]) db.close();
  });

  test("R04: a store finds old and new ones among thousands, opened anew too", async () => {
    const open = (): ReturnType<typeof openStore> =>
      openStore(`sqlite:${join(folder, "loop.db")}`, { instance: "default", now: () => noon });
    const bodyOf = (n: number): Uint8Array => bytesOf(`body ${n}`);
    let store = await open();
    for (let from = 0; from < 5_000; from += 100)
      await Promise.all(
        Array.from({ length: 100 }, (_, n) =>
          store.append(deliveryOf(`d-${from + n}`, { body: bodyOf(from + n) })),
        ),
      );
    for (let opening = 0; opening < 2; opening += 1) {
      for (const n of [0, 2_047, 2_048, 4_500, 4_999])
        expect(await store.append(deliveryOf(`other-${n}`, { body: bodyOf(n) }))).toEqual({
          kind: "duplicate",
          why: "replay",
          of: `d-${n}`,
        });
      await store.close();
      store = await open();
    }
    await store.close();
  });
});
