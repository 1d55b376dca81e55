import { DatabaseSync } from "node:sqlite";
import type { Store } from "@loopwork/core/ports";
import { expect, onTestFinished, test } from "vitest";
import { keptBodies } from "../../src/sqlite/bodies.ts";
import { migrate, readMigrations } from "../../src/sqlite/migrate.ts";
import { noon, storeToFill } from "./filled-store.ts";

const count = 2_700;

test.each(["forgetBodies", "forgetEvents"] as const)(
  "%s: others have their turn while a lot is forgotten, and nothing else goes with it",
  async (name) => {
    const { store, db } = longPast();
    const forget = {
      forgetBodies: () => store.log.forgetBodies(noon + count - 100),
      forgetEvents: () => store.events.forget(noon + count - 100),
    }[name];
    const left = (): unknown => ({
      ...db
        .prepare(
          "select (select count(*) from delivery_body) as bodies, (select count(*) from event) as lines",
        )
        .get(),
    });
    let turns = 0;
    let goesOn = true;
    const turn = (): void => {
      turns += 1;
      if (goesOn) setImmediate(turn);
    };
    setImmediate(turn);
    const gone = await forget().finally(() => (goesOn = false));
    expect(turns).toBeGreaterThanOrEqual(5);
    // Every hundredth delivery is undecided.
    const expected = {
      forgetBodies: { gone: 2_574, bodies: 126, lines: count },
      forgetEvents: { gone: 2_600, bodies: count, lines: 100 },
    }[name];
    expect({ gone, ...Object(left()) }).toEqual(expected);
    expect(await forget()).toBe(0);
  },
);

test("what is undecided for long holds up nothing behind it", async () => {
  const { store, db } = longPast();
  db.exec("delete from decision where seq <= 1500");
  expect(await store.log.forgetBodies(noon + count)).toBe(1_188);
});

test("what is kept is found from where it begins, however much came before it", () => {
  const db = new DatabaseSync(":memory:");
  onTestFinished(() => db.close());
  migrate(db, readMigrations(), 0);
  const plan = db
    .prepare(`explain query plan ${keptBodies}`)
    .all(1, "default", 1, 1)
    .map(({ detail }) => String(detail))
    .join("; ");
  expect(plan).toMatch(/^SEARCH delivery_body USING INTEGER PRIMARY KEY/);
  expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
});

test("a decision takes no page of its own: one of 1.3 KB takes less than two", () => {
  const { db } = longPast();
  const { bytes } = {
    ...db.prepare("select sum(pgsize) as bytes from dbstat where name like '%decision%'").get(),
  };
  expect(Number(bytes) / count).toBeGreaterThan(1_300);
  expect(Number(bytes) / count).toBeLessThan(2_000);
});

/**
 * So many deliveries, one in a millisecond, with a body, a line in the event log and a decision,
 * which every hundredth has not.
 */
function longPast(): { readonly store: Store; readonly db: DatabaseSync } {
  const { store, db } = storeToFill();
  const each =
    "with recursive n (n) as (select 0 union all select n + 1 from n where n + 1 < ?2) insert into";
  const fill = (table: string, values: string): unknown =>
    db.prepare(`${each} ${table} select ${values} from n where ?1 > 0`).run(noon, count);
  fill(
    "delivery (seq, id, source, event, verified, received_at, digest)",
    "n + 1, 'd-' || n, 'webhook', 'issues', 1, ?1 + n, ''",
  );
  fill("delivery_body (seq, body, length)", "n + 1, zeroblob(200), 200");
  fill(
    "event (time, kind, level, instance, fields)",
    "?1 + n, 'turn.done', 'info', 'default', '{}'",
  );
  fill(
    "decision (instance, seq, verdict, reason, event, decision, decided_at)",
    "'default', n + 1, 'noted', 'armed', printf('%.1300c', 'x'), '{}', 0",
  );
  db.exec("delete from decision where seq % 100 = 0");
  return { store, db };
}
