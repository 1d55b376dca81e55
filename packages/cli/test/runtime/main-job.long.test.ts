import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { until } from "../support/until.ts";
import { createWorld } from "../support/world.ts";

test("a labelled issue that ada starts is worked on in a checkout of its own, resumed by a comment, released when it closes", async () => {
  const world = await createWorld();
  const service = await world.start();
  const number = world.startIssue("{{stub:text done}}");
  await service.event("turn.done");
  const { fields } = await service.event("checkout.prepared");
  expect(existsSync(String(fields["workdir"]))).toBe(true);

  world.host.comment(number, "Please look again. {{stub:text again}}", "ada");
  await until(async () => (await service.events("turn.done")).length === 2, "the second turn");
  const prompts = world.prompts();
  expect(prompts).toHaveLength(2);
  expect(new Set(prompts.map(({ session }) => session)).size).toBe(1);
  expect(prompts[1]?.text).toContain("Please look again.");

  world.host.closeIssue(number, "ada");
  await service.event("checkout.released");
  expect(existsSync(String(fields["workdir"]))).toBe(false);
});

test("a checkout that is kept when its item closes is not told as removed", async () => {
  const world = await createWorld();
  world.scene.configure(
    world.scene.text().replace("root: checkouts", "root: checkouts, keepCheckoutOnClose: true"),
  );
  const service = await world.start();
  const number = world.startIssue("{{stub:text done}}");
  await service.event("turn.done");
  const { fields } = await service.event("checkout.prepared");
  world.host.closeIssue(number, "ada");
  await service.event("session.closed");
  await until(
    async () => (await service.parts.store.stats()).pendingEffects === 0,
    "the end of it",
  );
  expect([
    existsSync(String(fields["workdir"])),
    await service.events("checkout.released"),
  ]).toEqual([true, []]);
});
