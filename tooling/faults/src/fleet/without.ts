import type { ItemState, Lease, Store } from "@loopwork/core/ports";
import pg from "pg";

/**
 * Guards of the shared store that a run can go without. The lock for accepting is taken away in the
 * server (`numbering.ts`), the others in each instance.
 */
export const fleetGuards = ["fence", "accept-lock", "claim"] as const;
export type FleetGuard = (typeof fleetGuards)[number];

export function isFleetGuard(name: string): name is FleetGuard {
  return fleetGuards.some((guard) => guard === name);
}

/** The store of one instance process without a guard; the store's own code stays as it is. */
export async function withoutFleetGuard(
  guard: FleetGuard | null,
  store: Store,
  url: string,
): Promise<Store> {
  if (guard === "claim") return withoutClaim(store);
  return guard === "fence" ? withoutFence(store, url) : store;
}

/** Whoever decides does not see that somebody else has taken the item. */
function withoutClaim(store: Store): Store {
  return {
    ...store,
    log: {
      ...store.log,
      decide: (seq, workItem, decide, left) =>
        store.log.decide(seq, workItem, (item) => decide(unclaimed(item)), left),
    },
  };
}

function unclaimed(item: ItemState): ItemState {
  return {
    ...item,
    workItem:
      item.workItem === null
        ? null
        : {
            ...item.workItem,
            control: { ...item.workItem.control, status: "idle", instance: null },
          },
    sessions: [],
  };
}

/** A late owner writes under whatever fence is in force, as if it were its own. */
async function withoutFence(store: Store, url: string): Promise<Store> {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  pool.on("error", () => {});
  const inForce = async (lease: Lease): Promise<Lease> => {
    await pool.query(
      "update lane set holder = $1, lease_until = loop_now() + 60000, lease_ms = 60000 where endpoint = $2 and holder is null",
      [lease.owner, lease.lane],
    );
    const { rows } = await pool.query<{ fence: string; holder: string }>(
      "select fence, holder from lane where endpoint = $1",
      [lease.lane],
    );
    return {
      lane: lease.lane,
      owner: rows[0]?.holder ?? lease.owner,
      fence: Number(rows[0]?.fence ?? lease.fence),
    };
  };
  const { lanes } = store;
  return {
    ...store,
    lanes: {
      ...lanes,
      begin: async (lease, turn, attempt, lines) =>
        lanes.begin(await inForce(lease), turn, attempt, lines),
      renew: async (lease, now, leaseMs) => lanes.renew(await inForce(lease), now, leaseMs),
      settle: async (lease, turn, end) => lanes.settle(await inForce(lease), turn, end),
    },
    close: async () => {
      await pool.end();
      await store.close();
    },
  };
}
