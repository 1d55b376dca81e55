import { expect, test } from "vitest";
import type { RuntimeParts } from "../../src/runtime/parts.ts";
import { until } from "../support/until.ts";
import { createWorld } from "../support/world.ts";

test("while every place is taken the dispatcher rests, though a turn of another item is ready", { timeout: 60_000 }, async () => {
  const world = await createWorld({ routing: "  maxConcurrentTurns: 1" });
  let looks = 0;
  const counting = (parts: RuntimeParts): RuntimeParts => ({ ...parts, store: { ...parts.store, log: { ...parts.store.log, undecided: (limit) => (looks++, parts.store.log.undecided(limit)) } } });
  const service = await world.start(counting);
  world.startIssue("{{stub:hang 3000}}");
  await until(() => world.prompts().length === 1, "the first turn");
  world.startIssue();
  await until(async () => (await service.turns()).length === 2 && (await service.parts.store.stats()).pendingEffects === 0, "the second turn, ready");
  looks = 0;
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect((await service.turns()).map(({ state }) => state)).toEqual(["injecting", "ready"]);
  expect(looks).toBeLessThan(20);
  await until(async () => (await service.turns()).every(({ state }) => state === "done"), "both turns", undefined, 20_000);
});
