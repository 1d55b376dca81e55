import { expect, test } from "vitest";
import { until } from "../support/until.ts";
import { createWorld } from "../support/world.ts";

test(
  "a successor decides nothing before it has its predecessor's place, and all that came meanwhile after that",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    let [asked, taken] = [0, false];
    const service = await world.start(undefined, () => {
      asked += 1;
      return taken;
    });
    world.startIssue("{{stub:text done}}");
    const undecided = async (): Promise<number> => (await service.parts.store.stats()).undecided;
    await until(async () => (await undecided()) > 0, "a delivery");
    const before = asked;
    while (asked < before + 3) {
      service.dispatcher.poke();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect([await service.turns(), service.dispatcher.progress().phase]).toEqual([[], "waiting"]);
    expect(await undecided()).toBeGreaterThan(0);
    taken = true;
    service.dispatcher.poke();
    await service.event("turn.done");
  },
);

test(
  "with that guard off it decides at once beside the other, so that the test above can fail",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    const service = await world.start(undefined, () => true);
    world.startIssue("{{stub:text done}}");
    await until(async () => (await service.turns()).length > 0, "a turn");
    expect(service.dispatcher.progress().phase).toBe("running");
  },
);
