import { expect, test } from "vitest";
import { createWorld } from "../support/world.ts";

test(
  "loop instances shows scope and managed work items, with the reason for each",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld({
      more: "instance: { name: north, scope: { mode: addressed, workItems: ['host:practice/garden#40'] } }",
    });
    const before = await world.scene.loop("instances", "--json");
    expect(before.json()).toEqual({
      name: "north",
      scope: { mode: "addressed", workItems: ["host:practice/garden#40"] },
      managed: [{ ref: "host:practice/garden#40", sources: ["declared"] }],
    });

    const service = await world.start();
    const { number } = world.host.openIssue({
      title: "Water",
      body: "{{stub:text ok}}",
      labels: ["loop: auto-execute"],
      by: "ada",
    });
    world.host.comment(number, "loop start instance:north", "ada");
    await service.event("turn.done");
    const ran = await world.scene.loop("instances");
    expect(ran.code).toBe(0);
    expect(ran.out).toContain("addressed: takes work items whose start names it");
    expect(ran.out).toMatch(new RegExp(`${world.ref(number)}\\s+session, control`));
  },
);

test("an instance that manages nothing says so", async () => {
  const world = await createWorld();
  expect((await world.scene.loop("instances")).out).toContain("No work items yet");
});
