import { expect, test } from "vitest";
import { createWorld, type World } from "../support/world.ts";

const armed = (world: World): number => world.host.openIssue({ title: "Water", body: "{{stub:text ok}}", labels: ["loop: auto-execute"], by: "ada" }).number;

test("S10: a start for an instance that is not there says nothing on the thread and stands in the status, until somebody takes it", { timeout: 60_000 }, async () => {
  const world = await createWorld({ more: "instance: { name: north }" });
  const service = await world.start();
  const [meant, strangers] = [armed(world), armed(world)];
  world.host.comment(strangers, "loop start instance:south", "mallory");
  world.host.comment(meant, "loop start instance:south", "ada");
  await service.event("delivery.decided", ({ reason }) => reason === "addressed-elsewhere");

  const status = await world.scene.loop("status");
  expect(status.out).toMatch(new RegExp(`${world.ref(meant)} {2}@ada's start, .*is for instance south`));
  expect(status.out).toContain("comment the start again with instance:north");
  expect(status.out).not.toContain(world.ref(strangers));
  expect((await world.scene.loop("status", "--json")).json()).toMatchObject({ unownedStarts: [{ workItem: world.ref(meant), address: "south", by: "ada", reason: "addressed-elsewhere" }] });
  expect(world.host.issue(meant).comments).toHaveLength(1);

  world.host.comment(meant, "loop start instance:north", "ada");
  await service.event("turn.done");
  expect((await world.scene.loop("status", "--json")).json()).toMatchObject({ unownedStarts: [] });
});

test.each([
  ["addressed", "names no instance", "comment the start again with instance:north"],
  ["locked", "names no instance", "instance.scope.workItems"],
])("a start where the scope is %s: %s", { timeout: 60_000 }, async (mode, whose, remedy) => {
  const world = await createWorld({ more: `instance: { name: north, scope: { mode: ${mode} } }` });
  const service = await world.start();
  world.host.comment(armed(world), "loop start", "ada");
  await service.event("delivery.decided", ({ reason }) => reason === `scope-${mode}`);
  const { out } = await world.scene.loop("status");
  expect(out).toContain(whose);
  expect(out).toContain(remedy);
});
