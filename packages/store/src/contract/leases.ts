import { noon, same } from "@loopwork/core/testing";
import {
  begin,
  endOf,
  leaseMs,
  queueTurn,
  refText,
  take,
  taken,
  together,
  workItemOf,
} from "./build.ts";
import { rowsOf, type StoreRow } from "./row.ts";

/** The right to run a lane, and what becomes of it. */
export const leaseRows: readonly StoreRow[] = rowsOf("leases", [
  [
    "S09: writes under an older fence are refused, change nothing and are counted",
    async (open) => {
      const old = await open();
      await queueTurn(old, "a", 1);
      const lane = await taken(old, noon, "old");
      await begin(old, lane);
      const fresh = await open();
      const [orphan] = await fresh.lanes.orphans({ owner: "new", now: noon + leaseMs, leaseMs });
      same("fence", orphan?.lease.fence, 2);
      same("renew", await old.lanes.renew(lane.lease, noon + leaseMs, leaseMs), false);
      same("begin", await begin(old, lane, "late"), false);
      same(
        "settle",
        await old.lanes.settle(
          lane.lease,
          lane.turn.id,
          endOf({ fold: (item) => ({ ...item, workItem: workItemOf(1) }) }),
        ),
        false,
      );
      await old.lanes.release(lane.lease);
      same(
        "turn",
        [
          (await fresh.lanes.turn(lane.turn.id))?.state,
          (await fresh.lanes.turn(lane.turn.id))?.attempt?.receipt,
        ],
        ["injecting", `receipt-${lane.turn.id}`],
      );
      same("item", (await fresh.items.load(refText(1))).workItem, null);
      same("counted", [(await old.stats()).lateWrites, (await fresh.stats()).lateWrites], [4, 0]);
      same(
        "new holder",
        orphan === undefined
          ? null
          : await fresh.lanes.settle(orphan.lease, orphan.turn.id, endOf()),
        true,
      );
    },
  ],
  [
    "a lease that ran out before the turn began lets another take the lane",
    async (open) => {
      const store = await open();
      await queueTurn(store, "a", 1);
      await taken(store, noon, "old");
      same("leased", await take(store, noon + leaseMs - 1, "new"), null);
      same("wake", await store.lanes.wakeAt(noon, together), noon + leaseMs);
      same("taken", (await taken(store, noon + leaseMs, "new")).lease, {
        lane: refText(1),
        owner: "new",
        fence: 2,
      });
    },
  ],
  [
    "renewing prolongs a lease",
    async (open) => {
      const store = await open();
      await queueTurn(store, "a", 1);
      const { lease } = await taken(store);
      same("renewed", await store.lanes.renew(lease, noon + 10_000, leaseMs), true);
      same("still leased", await take(store, noon + leaseMs, "other"), null);
      same("run out", (await take(store, noon + 10_000 + leaseMs, "other"))?.lease.fence, 2);
    },
  ],
  [
    "D05: a lease that reaches further ahead than it was given for is void, as the clock went back",
    async (open) => {
      const store = await open();
      await queueTurn(store, "a", 1);
      await taken(store, noon + 1e10, "old");
      same("taken", (await take(store, noon, "new"))?.lease.owner, "new");
    },
  ],
  [
    "orphans are turns under way whose holder's time is over, or whose holder is an earlier life of the owner",
    async (open) => {
      const earlier = await open();
      for (const [id, item] of [
        ["a", 1],
        ["b", 2],
        ["c", 3],
      ] as const)
        await queueTurn(earlier, id, item);
      const one = await taken(earlier, noon, "me");
      await begin(earlier, one);
      await begin(earlier, await taken(earlier, noon, "another"));
      await taken(earlier, noon, "me");
      const store = await open();
      const found = await store.lanes.orphans({ owner: "me", now: noon + 1, leaseMs });
      same(
        "mine",
        found.map((each) => [each.lease.lane, each.lease.fence, each.turn.attempt?.receipt]),
        [[refText(1), 2, `receipt-${one.turn.id}`]],
      );
      same("freed", (await taken(store, noon + 1, "me")).lease.lane, refText(3));
      same("not its own", await store.lanes.orphans({ owner: "me", now: noon + 2, leaseMs }), []);
      same(
        "run out",
        (await store.lanes.orphans({ owner: "me", now: noon + leaseMs, leaseMs })).map(
          (each) => each.lease.lane,
        ),
        [refText(2)],
      );
    },
  ],
  [
    "a lane that is given back keeps its turn",
    async (open) => {
      const store = await open();
      await queueTurn(store, "a", 1);
      await store.lanes.release((await taken(store)).lease);
      same("again", (await taken(store, noon, "other")).lease, {
        lane: refText(1),
        owner: "other",
        fence: 2,
      });
    },
  ],
]);
