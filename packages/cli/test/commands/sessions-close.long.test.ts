import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { until } from "../support/until.ts";
import { createWorld } from "../support/world.ts";

test("sessions close ends the registration of a work item, and its checkout stays", async () => {
  const world = await createWorld();
  const service = await world.start();
  const number = world.startIssue("{{stub:text done}}");
  await service.event("turn.done");
  const { fields } = await service.event("checkout.prepared");

  const due = (): readonly string[] => globSync(join(world.scene.dir, "**/learnings/*/due"));
  expect(due()).toEqual([]);
  const closed = await world.scene.loop("sessions", "close", "--work-item", world.ref(number));
  expect(closed).toMatchObject({ code: 0 });
  expect(closed.out).toContain(`Closed the session of ${world.ref(number)}`);
  expect((await service.parts.store.items.load(world.ref(number))).sessions).toMatchObject([
    { status: "closed" },
  ]);
  expect(existsSync(String(fields["workdir"]))).toBe(true);
  expect(await service.events("session.closed")).toHaveLength(1);

  expect(due()).toHaveLength(1);

  const again = await world.scene.loop("sessions", "close", world.ref(number));
  expect(again).toMatchObject({ code: 1 });
});

test("sessions close on what was never registered says so, exit 1", async () => {
  const world = await createWorld();
  await world.start();
  expect(await world.scene.loop("sessions", "close", "host:practice/garden#99")).toMatchObject({
    code: 1,
    out: expect.stringContaining("No open session"),
  });
});

test("a comment after a manual close opens a conversation anew, because the item is still started", async () => {
  const world = await createWorld();
  const service = await world.start();
  const number = world.startIssue("{{stub:text done}}");
  await service.event("turn.done");
  await world.scene.loop("sessions", "close", world.ref(number));
  world.host.comment(number, "And one more thing. {{stub:text again}}", "ada");
  await until(
    async () => (await service.events("turn.done")).length === 2,
    "the second turn",
    async () => service.said.join("\n"),
  );
  expect(new Set(world.prompts().map(({ session }) => session)).size).toBe(2);
});
