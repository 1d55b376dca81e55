import type { DeliverySource, Store, TurnState } from "@loopwork/core/ports";
import { Counter, Gauge, Histogram, Registry } from "prom-client";

/** Counts what happens in this process and shows it as Prometheus text. Durations are seconds. */
export type Metrics = {
  delivery(
    source: DeliverySource,
    outcome: "accepted" | "duplicate" | "ignored",
    reason: string,
    seconds: number,
  ): void;
  refused(code: string): void;
  dispatched(seconds: number): void;
  turn(state: TurnState): void;
  flushed(seconds: number): void;
  /** What is on record is counted when it is asked for, out of the store. */
  text(stats: Pick<Store, "stats">): Promise<string>;
  readonly contentType: string;
};

const acceptBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];
const dispatchBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600];

export function createMetrics(version: string): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const deliveries = new Counter({
    name: "loop_deliveries_total",
    help: "deliveries handed to the store of this process, by how they came and what they were",
    labelNames: ["source", "outcome", "reason"],
    registers,
  });
  const refused = new Counter({
    name: "loop_refused_requests_total",
    help: "requests to the webhook that were refused, by the code of the answer",
    labelNames: ["code"],
    registers,
  });
  const accept = new Histogram({
    name: "loop_accept_seconds",
    help: "from handing a delivery to the store until it was durable",
    labelNames: ["source"],
    buckets: acceptBuckets,
    registers,
  });
  const dispatch = new Histogram({
    name: "loop_dispatch_seconds",
    help: "from receiving a delivery to the first attempt at its turn",
    buckets: dispatchBuckets,
    registers,
  });
  const flush = new Histogram({
    name: "loop_store_flush_seconds",
    help: "one flush of the store to the disk",
    buckets: acceptBuckets,
    registers,
  });
  const ended = new Counter({
    name: "loop_turn_attempts_total",
    help: "attempts at turns that ended, by the state in which they left the turn; ready goes on later",
    labelNames: ["state"],
    registers,
  });
  const gauges = recordGauges(registers);
  new Gauge({
    name: "loop_build_info",
    help: "the version that runs",
    labelNames: ["version"],
    registers,
  }).set({ version }, 1);
  return {
    delivery(source, outcome, reason, seconds) {
      deliveries.inc({ source, outcome, reason });
      if (outcome === "accepted") accept.observe({ source }, seconds);
    },
    refused: (code) => refused.inc({ code }),
    dispatched: (seconds) => dispatch.observe(seconds),
    turn: (state) => ended.inc({ state }),
    flushed: (seconds) => flush.observe(seconds),
    async text(store) {
      await gauges(store);
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}

/** What the store itself counts. */
function recordGauges(registers: Registry[]): (store: Pick<Store, "stats">) => Promise<void> {
  const turns = new Gauge({
    name: "loop_turns",
    help: "turns on record, by state",
    labelNames: ["state"],
    registers,
  });
  const lanes = new Gauge({
    name: "loop_lanes",
    help: "lanes that wait for somebody or for a time (held), and lanes at work (leased)",
    labelNames: ["state"],
    registers,
  });
  const undecided = new Gauge({
    name: "loop_undecided_deliveries",
    help: "deliveries that wait to be decided",
    registers,
  });
  const effects = new Gauge({
    name: "loop_pending_effects",
    help: "effects that wait to be carried out",
    registers,
  });
  return async (store) => {
    const stats = await store.stats();
    for (const [state, count] of Object.entries(stats.turns)) turns.set({ state }, count);
    lanes.set({ state: "held" }, stats.lanesHeld);
    lanes.set({ state: "leased" }, stats.lanesLeased);
    undecided.set(stats.undecided);
    effects.set(stats.pendingEffects);
  };
}
