import type { EventQuery, Store } from "@loopwork/core/ports";
import { expect, test } from "vitest";
import { noon, storeToFill } from "./filled-store.ts";

const count = 90_000;

test("where no index helps, a long log is gone through a piece at a time, and others have their turn in between", async () => {
  const store = longLog();
  for (const query of [
    { kind: "turn.failed", limit: 5 },
    { kind: "turn.failed", limit: 5, newestFirst: true },
    { since: noon + count + 1, limit: 5 },
  ] satisfies EventQuery[]) {
    let turns = 0;
    let goesOn = true;
    const turn = (): void => {
      turns += 1;
      if (goesOn) setImmediate(turn);
    };
    setImmediate(turn);
    await store.events.list(query).finally(() => (goesOn = false));
    expect(turns, JSON.stringify(query)).toBeGreaterThanOrEqual(4);
  }
});

test("it comes to the same as in one go, from either end and from anywhere", async () => {
  const { events } = longLog();
  const ids = async (query: Omit<EventQuery, "kind">): Promise<readonly number[]> =>
    (await events.list({ kind: "turn.failed", ...query })).map(({ id }) => id);
  expect(await ids({ limit: 9 })).toEqual([1, 30_001, 60_001]);
  expect(await ids({ limit: 9, newestFirst: true })).toEqual([60_001, 30_001, 1]);
  expect([await ids({ limit: 2 }), await ids({ limit: 2, newestFirst: true })]).toEqual([
    [1, 30_001],
    [60_001, 30_001],
  ]);
  expect([
    await ids({ afterId: 1, limit: 9 }),
    await ids({ afterId: 1, beforeId: 60_001, limit: 9, newestFirst: true }),
  ]).toEqual([[30_001, 60_001], [30_001]]);
  expect([
    await ids({ beforeId: 1, limit: 9 }),
    await ids({ afterId: count, limit: 9 }),
    await ids({ since: noon + 30_000, limit: 9 }),
  ]).toEqual([[], [], [30_001, 60_001]]);
  expect((await events.list({ limit: 3, newestFirst: true })).map(({ id }) => id)).toEqual([
    count,
    count - 1,
    count - 2,
  ]);
});

/**
 * A log of so many lines, one in a millisecond, of which every 30,000th tells of a turn that
 * failed.
 */
function longLog(): Store {
  const { store, db } = storeToFill();
  db.prepare(
    "with recursive n (n) as (select 0 union all select n + 1 from n where n + 1 < ?2) insert into event (time, kind, level, instance, fields) select ?1 + n, case when n % 30000 = 0 then 'turn.failed' else 'turn.done' end, 'info', 'default', '{}' from n",
  ).run(noon, count);
  return store;
}
