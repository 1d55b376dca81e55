import type { DeliverySource, Lanes, Store, TurnState } from "@loopwork/core/ports";
import type { RuntimeParts } from "./parts.ts";

/** Who counts what happens; told after it happened, never asked. Durations are seconds. */
export type Observer = {
  /** A delivery was handed to the store: `seconds` until it was durable, or known to be. */
  delivery(
    source: DeliverySource,
    outcome: "accepted" | "duplicate" | "ignored",
    reason: string,
    seconds: number,
  ): void;
  /** A request was refused before it was a delivery. */
  refused(code: string): void;
  /** The first attempt at a turn began so long after its first delivery was received. */
  dispatched(seconds: number): void;
  /** An attempt at a turn ended and left it in this state; `ready` goes on later. */
  turn(state: TurnState): void;
  /** The store flushed to the disk. */
  flushed(seconds: number): void;
};

/** The same parts, with an observer of what goes through the store. */
export function observed(parts: RuntimeParts, observer: Observer): RuntimeParts {
  return {
    ...parts,
    store: {
      ...parts.store,
      append: observedAppend(parts.store, observer),
      lanes: observedLanes(parts, observer),
    },
  };
}

function observedAppend(store: Store, observer: Observer): Store["append"] {
  return async (delivery) => {
    const began = performance.now();
    const acceptance = await store.append(delivery);
    const seconds = (performance.now() - began) / 1000;
    if (acceptance.kind === "duplicate")
      observer.delivery(delivery.source, "duplicate", acceptance.why, seconds);
    else if (delivery.ignored !== null)
      observer.delivery(delivery.source, "ignored", delivery.ignored, seconds);
    else observer.delivery(delivery.source, "accepted", "", seconds);
    return acceptance;
  };
}

function observedLanes({ store: { lanes }, clock }: RuntimeParts, observer: Observer): Lanes {
  /** When the first delivery of a turn was received, while its first attempt is being prepared. */
  const waiting = new Map<number, number>();
  return {
    ...lanes,
    async take(request) {
      const taken = await lanes.take(request);
      const received = taken?.turn.inputs[0]?.receivedAt;
      if (taken !== null && received !== undefined && taken.turn.attempts === 0)
        waiting.set(taken.turn.id, received);
      return taken;
    },
    async begin(lease, turn, attempt, lines) {
      const begun = await lanes.begin(lease, turn, attempt, lines);
      const received = waiting.get(turn);
      waiting.delete(turn);
      if (begun && received !== undefined)
        observer.dispatched(Math.max(0, clock.now() - received) / 1000);
      return begun;
    },
    async settle(lease, turn, settled) {
      const done = await lanes.settle(lease, turn, settled);
      waiting.delete(turn);
      if (done) observer.turn(settled.state);
      return done;
    },
  };
}
