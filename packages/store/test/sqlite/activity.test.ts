import type { Store } from "@loopwork/core/ports";
import { expect, test } from "vitest";
import { noon, storeToFill } from "./filled-store.ts";

test("the activity of a long log is counted a piece at a time, and others have their turn in between", async () => {
  const store = storeWith(10_000);
  let turns = 0;
  let goesOn = true;
  const count = (): void => {
    turns += 1;
    if (goesOn) setImmediate(count);
  };
  setImmediate(count);
  const steps = await store
    .activity({ since: noon, stepMs: 1_000 })
    .finally(() => (goesOn = false));
  expect(steps.length).toBe(10);
  for (const { accepted, decided, failed } of steps)
    expect([accepted, decided, failed], "each once, however many lines tell it").toEqual([
      1_000, 1_000, 0,
    ]);
  expect(turns).toBeGreaterThanOrEqual(20);
});

test("of a longer log the newest 50,000 deliveries and lines count", async () => {
  const steps = await storeWith(60_000).activity({ since: noon, stepMs: 60_000 });
  expect(steps).toEqual([{ at: noon, accepted: 50_000, decided: 25_000, failed: 0 }]);
});

/** So many deliveries, one in a millisecond, of each of which two lines say that it was decided. */
function storeWith(count: number): Store {
  const { store, db } = storeToFill();
  db.exec("begin");
  db.prepare(
    "with recursive n (n) as (select 0 union all select n + 1 from n where n + 1 < ?2) insert into delivery (id, source, event, verified, received_at, digest) select 'd-' || n, 'webhook', 'issues', 1, ?1 + n, 'x' from n",
  ).run(noon, count);
  db.exec(
    "insert into event (time, kind, level, instance, delivery, fields) select received_at, 'delivery.decided', 'info', 'default', id, '{}' from delivery cross join (values (1), (2)) order by seq",
  );
  db.exec("commit");
  return store;
}
