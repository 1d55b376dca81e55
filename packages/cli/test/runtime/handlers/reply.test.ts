import { expect, test } from "vitest";
import type { RuntimeParts } from "../../../src/runtime/parts.ts";
import { until } from "../../support/until.ts";
import { createWorld } from "../../support/world.ts";

const refusals = (world: Awaited<ReturnType<typeof createWorld>>, number: number): number => world.host.issue(number).comments.filter(({ body }) => body.includes("does not carry the label")).length;

test("D01 a life that ends between a post and the note of it: the next life finds the post and posts nothing", { timeout: 60_000 }, async () => {
  const world = await createWorld();
  const forgetful = (parts: RuntimeParts): RuntimeParts => {
    const { outbox } = parts.store;
    return { ...parts, store: { ...parts.store, outbox: { ...outbox, settle: (id, result, fold, lines) => (lines.some(({ kind }) => kind === "host.posted") ? Promise.reject(new Error("killed here")) : outbox.settle(id, result, fold, lines)) } } };
  };
  const first = await world.start(forgetful);
  const { number } = world.host.openIssue({ title: "Not labelled", body: "x", labels: [], by: "ada" });
  world.host.comment(number, "loop start", "ada");
  await until(() => refusals(world, number) > 0, "the post", () => first.said.join("\n"));
  await first.stop();

  const second = await world.start();
  await second.event("host.posted");
  expect(refusals(world, number)).toBe(1);
});

test("a thread that holds a post of an earlier store, with the same number, still gets the new one", { timeout: 60_000 }, async () => {
  const world = await createWorld();
  const { number } = world.host.openIssue({ title: "Not labelled", body: "x", labels: [], by: "ada" });
  world.host.comment(number, "Something else.\n\n<!-- loop:effect-2:of-an-earlier-store -->", "loop-agent");
  const forgetful = (parts: RuntimeParts): RuntimeParts => ({ ...parts, store: { ...parts.store, outbox: { ...parts.store.outbox, due: async (now, limit) => (await parts.store.outbox.due(now, limit)).map((entry) => ({ ...entry, attempts: Math.max(1, entry.attempts) })) } } });
  const service = await world.start(forgetful);
  world.host.comment(number, "loop start", "ada");
  await service.event("host.posted");
  expect(refusals(world, number)).toBe(1);
});
