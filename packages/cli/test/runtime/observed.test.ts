import { expect, test } from "vitest";
import { type Observer, observed } from "../../../runtime/src/observe-store.ts";
import { createWorld } from "../support/world.ts";

test(
  "what goes through the store is told once each: deliveries by outcome, the way to the first attempt, the end of attempts",
  { timeout: 60_000 },
  async () => {
    const told: string[] = [];
    const observer: Observer = {
      delivery: (source, outcome, reason) =>
        told.push(`${source} ${outcome}${reason === "" ? "" : ` ${reason}`}`),
      refused: (code) => told.push(code),
      dispatched: (seconds) => told.push(`dispatched ${seconds >= 0 && seconds < 60}`),
      turn: (state) => told.push(`turn ${state}`),
      flushed: () => told.push("flushed"),
    };
    const world = await createWorld();
    const service = await world.start((parts) => observed(parts, observer));
    world.startIssue("{{stub:text watered}}");
    await service.event("turn.done");
    const first = world.host.deliveries()[0];
    if (first === undefined) throw new Error("nothing was delivered");
    await world.host.redeliver(first.id);
    expect(told.filter((each) => each === "webhook accepted").length).toBeGreaterThanOrEqual(2);
    expect(told.filter((each) => each.startsWith("dispatched"))).toEqual(["dispatched true"]);
    expect(told.filter((each) => each.startsWith("turn"))).toEqual(["turn done"]);
    expect(told).toContain("webhook duplicate id");
  },
);
