import type { Store } from "@loopwork/core/ports";
import { bytesOf, deliveryOf, noon } from "@loopwork/core/testing";
import {
  begin,
  decide,
  decided,
  endOf,
  fullItem,
  lineOf,
  queueTurn,
  refText,
  reply,
  setItem,
  stored,
  taken,
  together,
} from "../../../store/src/contract/build.ts";

/**
 * Fills a store with something in every table and every kind of column: `more` adds deliveries with
 * bodies, small and large in turns.
 */
export async function liveIn(store: Store, more: number = 40): Promise<void> {
  for (const number of [1, 2, 3]) await setItem(store, number, fullItem(number));
  await decide(
    store,
    "a",
    5,
    decided({
      effects: [reply(5, "hello"), reply(5, "again")],
      key: "k:a",
      pin: { login: "Ada", id: "7" },
      lines: [
        lineOf({
          kind: "delivery.decided",
          fields: { comment: "c-1", text: "nul \u0000 and \u{1F600}" },
        }),
      ],
    }),
  );
  for (const id of ["b", "c", "d"]) await queueTurn(store, id, 6);
  // The last two are folded into the first: their numbers are gone.
  const lane = await taken(store, noon, "me", together);
  await begin(store, lane);
  await store.lanes.settle(
    lane.lease,
    lane.turn.id,
    endOf({ state: "failed", note: "a \u0000 in a note" }),
  );
  for (const id of ["e", "f"]) await queueTurn(store, id, 7);
  await begin(store, await taken(store, noon, "another"));
  const [first] = await store.outbox.due(noon, 9);
  await store.outbox.settle(first?.id ?? 0, { state: "done", note: "told" }, null, []);
  await store.cursors.put("ada/garden", { cursor: "7", etag: "W/x" });
  await store.repositories.update(() => ({
    write: [
      {
        host: null,
        id: "10",
        known: { owner: "ada", name: "garden" },
        present: { owner: "ada", name: "orchard" },
      },
    ],
    lines: [],
  }));
  await store.append(deliveryOf("ping", { event: "ping", body: null, ignored: "ping" }));
  await append(store, "more", more);
  await store.log.decide(await stored(store, "last"), refText(8), () => decided());
}

export async function append(store: Store, prefix: string, count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, n) =>
      store.append(
        deliveryOf(`${prefix}-${n}`, {
          digest: `digest-of-${prefix}-${n}`,
          verified: n % 2 === 0,
          body: bytesOf(`${prefix} ${n} `.repeat(n % 3 === 0 ? 900 : 20)),
        }),
      ),
    ),
  );
}
