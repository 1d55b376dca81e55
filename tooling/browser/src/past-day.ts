import { join } from "node:path";
import type { EventLine } from "@loopwork/core/ports";
import { deliveryOf } from "@loopwork/core/testing";
import { openStore } from "@loopwork/store";

const halfHourMs = 1_800_000;
/** Deliveries in each half hour of a day, as a small team makes them, from midnight on. */
const rhythm = [
  0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 2, 2, 4, 7, 9, 12, 11, 8, 10, 13, 9, 5, 3, 6, 11, 14, 10,
  12, 9, 8, 11, 7, 6, 4, 3, 5, 2, 3, 1, 2, 4, 1, 0, 1, 0,
];
const failures = new Set([17, 28, 33]);

/** A store in which a day has gone by: without one a plot shows nothing to look at. */
export async function liveThroughADay(stateRoot: string, until: number): Promise<void> {
  let now = until;
  const store = await openStore(`sqlite:${join(stateRoot, "loop.db")}`, {
    instance: "default",
    now: () => now,
  });
  const first = Math.floor(until / halfHourMs) - rhythm.length;
  for (let step = 0; step < rhythm.length; step++) {
    const begins = (first + step + 1) * halfHourMs;
    const ofDay = (first + step + 1) % rhythm.length;
    for (let each = 0; each < (rhythm[ofDay] ?? 0) && begins < until - halfHourMs; each++) {
      now = begins + each * 100_000;
      const id = `past-${step}-${each}`;
      const stored = await store.append(
        deliveryOf(id, { event: "issue_comment", receivedAt: now }),
      );
      if (stored.kind !== "accepted") throw new Error(`the delivery ${id} was not taken`);
      const decided = {
        event: null,
        state: null,
        decision: { verdict: { kind: "ignored" }, reason: "stranger-dropped", effects: [] },
        after: null,
        key: null,
        pin: null,
      } as const;
      await store.log.decide(stored.seq, null, () => ({
        ...decided,
        lines: [{ ...lineAt(now, "delivery.decided", id), reason: "stranger-dropped" }],
      }));
      if (failures.has(ofDay) && each === 0)
        await store.events.append([lineAt(now, "turn.failed", id)]);
    }
  }
  await store.close();
}

function lineAt(time: number, kind: EventLine["kind"], delivery: string): EventLine {
  return {
    time,
    kind,
    level: kind === "turn.failed" ? "error" : "info",
    instance: "default",
    workItem: null,
    delivery,
    reason: null,
    fields: {},
  };
}
