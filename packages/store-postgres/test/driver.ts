import type { Store } from "@loopwork/core/ports";
import { noon } from "@loopwork/core/testing";
import pg from "pg";
import { openPostgresStore } from "../src/index.ts";
import type { Driver } from "../../store/test/subjects.ts";
import { makeDatabase } from "./databases.ts";

/**
 * Databases that are empty again. Making one copies nine hundred files, emptying one takes some
 * milliseconds.
 */
const free: Used[] = [];
type Used = { readonly url: string; readonly client: pg.Client };

export const postgresDriver: Driver = {
  name: "postgres",
  fresh: async () => {
    const database = free.pop() ?? (await another());
    const stores: Store[] = [];
    return {
      open: async (over) => {
        const now = over?.now ?? ((): number => noon);
        const store = await openPostgresStore(database.url, { instance: "default", ...over, now });
        stores.push(store);
        return byHandedInClock(
          store,
          now,
          async (ms) => void (await database.client.query("update test_clock set ms = $1", [ms])),
        );
      },
      close: async () => {
        await Promise.all(stores.map((store) => store.close()));
        await database.client.query(emptied);
        free.push(database);
      },
    };
  },
};

async function another(): Promise<Used> {
  const { url } = await makeDatabase("loop_template");
  const client = new pg.Client({ connectionString: url });
  // The server ends with the run, and this connection with it.
  client.on("error", () => {});
  await client.connect();
  return { url, client };
}

const emptied = `do $$ begin
  execute (select 'truncate ' || string_agg(quote_ident(tablename), ', ') || ' restart identity' from pg_tables
           where schemaname = 'public' and tablename not in ('schema_version', 'test_clock'));
end $$`;

/** The clock of the server shows the time that is handed in with a call. */
function byHandedInClock(
  store: Store,
  now: () => number,
  set: (ms: number) => Promise<void>,
): Store {
  const { lanes } = store;
  return {
    ...store,
    stats: async () => {
      await set(now());
      return store.stats();
    },
    lanes: {
      ...lanes,
      take: async (request) => {
        await set(request.now);
        return lanes.take(request);
      },
      wakeAt: async (at, merge) => {
        await set(at);
        return lanes.wakeAt(at, merge);
      },
      renew: async (lease, at, leaseMs) => {
        await set(at);
        return lanes.renew(lease, at, leaseMs);
      },
      orphans: async (request) => {
        await set(request.now);
        return lanes.orphans(request);
      },
    },
  };
}
