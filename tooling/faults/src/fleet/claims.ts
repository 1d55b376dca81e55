import type { RefText } from "@loopwork/core/ports";
import { openPostgresStore } from "@loopwork/store-postgres";
import { type FleetOptions, seen, startMember } from "./fleet.ts";
import { openSenders, refOfItem, start } from "./senders.ts";

/** How many new work items were claimed, and which by more or fewer than one instance. */
export type Claims = {
  readonly items: number;
  readonly claims: number;
  readonly claimedTwice: number;
  readonly violations: readonly string[];
};

const firstItem = 100_000;

/**
 * Lets so many instance processes decide each start, all at once, and counts in their decisions who
 * took what.
 */
export async function runClaims(
  options: FleetOptions,
  instances: number,
  items: number,
): Promise<Claims> {
  const names = Array.from({ length: instances }, (_, n) => `claimer-${n}`);
  const members = names.map((name) => startMember(name, { ...options, room: 0 }));
  const senders = await openSenders(options.url, 4);
  try {
    await Promise.all(members.map(({ up }) => up));
    await Promise.all(
      Array.from({ length: items }, (_, n) => senders.send(start(firstItem + n, firstItem + n))),
    );
    const stores = await Promise.all(
      names.map((instance) => openPostgresStore(options.url, { instance, now: Date.now })),
    );
    try {
      await seen(
        async () =>
          (await Promise.all(stores.map((store) => store.stats()))).every(
            ({ undecided }) => undecided === 0,
          ),
        600_000,
        500,
      );
      const owners = new Map<RefText, string[]>();
      for (const [n, store] of stores.entries()) {
        for (const { decision } of await store.log.list({ limit: 1_000_000 }))
          if (decision?.verdict === "started" && decision.workItem !== null)
            owners.set(decision.workItem, [
              ...(owners.get(decision.workItem) ?? []),
              names[n] ?? "",
            ]);
      }
      const mine = Array.from({ length: items }, (_, n) => refOfItem(firstItem + n)).map((ref) => ({
        ref,
        by: owners.get(ref) ?? [],
      }));
      const violations = mine
        .filter(({ by }) => by.length !== 1)
        .map(({ ref, by }) =>
          by.length === 0
            ? `unclaimed: nobody took ${ref}`
            : `claimed twice: ${ref} by ${by.join(" and ")}`,
        );
      return {
        items,
        claims: mine.filter(({ by }) => by.length > 0).length,
        claimedTwice: mine.filter(({ by }) => by.length > 1).length,
        violations,
      };
    } finally {
      await Promise.all(stores.map((store) => store.close()));
    }
  } finally {
    await senders.close();
    await Promise.all(members.map((member) => member.kill()));
  }
}
