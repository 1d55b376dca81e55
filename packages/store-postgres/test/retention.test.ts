import { deliveryOf, noon } from "@loopwork/core/testing";
import { expect, onTestFinished, test } from "vitest";
import { decided, lineOf } from "../../store/src/contract/build.ts";
import { openPostgresStore } from "../src/index.ts";
import { makeDatabase } from "./databases.ts";

/**
 * The server refuses any statement that deletes more than 1,000 rows, as it would end one that
 * takes too long.
 */
const noLargeDelete = (table: string): string => `
  create function refuse_large_${table}() returns trigger language plpgsql as $$ begin
    if (select count(*) from gone) > 1000 then raise exception '% rows of ${table} at once', (select count(*) from gone); end if;
    return null;
  end $$;
  create trigger no_large_delete after delete on ${table} referencing old table as gone for each statement execute function refuse_large_${table}()`;

test(
  "however much is too old, it is forgotten in small parts, and nothing else goes with it",
  { timeout: 60_000 },
  async () => {
    const database = await makeDatabase();
    const store = await openPostgresStore(database.url, { instance: "default", now: () => noon });
    onTestFinished(async () => {
      await store.close();
      await database.drop();
    });
    for (const table of ["event", "delivery_body"]) await database.query(noLargeDelete(table));
    await Promise.all(
      Array.from({ length: 2_203 }, (_, n) =>
        store.append(deliveryOf(`d-${n}`, { receivedAt: n < 2_200 ? noon : noon + 10 })),
      ),
    );
    await database.query(
      'insert into decision (instance, seq, verdict, reason, decision, decided_at) select \'default\', seq, \'noted\', \'armed\', \'{"verdict":{"kind":"noted"},"reason":"armed","effects":[]}\', 0 from delivery where seq > 5',
    );
    await store.log.decide(1, null, () => decided());
    await store.events.append(
      Array.from({ length: 2_003 }, (_, n) => lineOf({ time: n < 2_000 ? noon : noon + 10 })),
    );

    expect(await store.log.forgetBodies(noon + 1)).toBe(2_196);
    expect(await store.events.forget(noon + 1)).toBe(2_000);
    expect(await store.log.forgetBodies(noon + 1)).toBe(0);
    expect((await store.events.list({ limit: 9 })).map(({ time }) => time)).toEqual([
      noon + 10,
      noon + 10,
      noon + 10,
    ]);
    expect(await database.query("select count(*)::int as bodies from delivery_body")).toEqual([
      { bodies: 7 },
    ]);
  },
);
