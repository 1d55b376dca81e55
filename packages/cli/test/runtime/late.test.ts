import { freePort } from "@loopwork-tooling/practice-host";
import { expect, test } from "vitest";
import { until } from "../support/until.ts";
import { createWorld, type Service, type World } from "../support/world.ts";

/** What happens while nobody listens, by the ids of its deliveries, oldest first. */
async function unheard(
  world: World,
  service: Service,
  happen: () => void,
): Promise<readonly string[]> {
  world.host.aim({ url: `http://127.0.0.1:${await freePort()}/`, secret: "practice-secret" });
  const before = new Set(world.host.deliveries().map(({ id }) => id));
  happen();
  await world.host.idle();
  world.host.aim({ url: service.url, secret: "practice-secret" });
  return world.host
    .deliveries()
    .map(({ id }) => id)
    .filter((id) => !before.has(id));
}

test(
  "R19 a label and a start that are told only after the label went and the item closed spawn nothing, although nothing was on record",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    const service = await world.start();
    const { number } = world.host.openIssue({ title: "Water the garden", by: "ada" });
    const late = await unheard(world, service, () => {
      world.host.label(number, "loop: auto-execute", "ada");
      world.host.comment(number, "loop start", "ada");
      world.host.unlabel(number, "loop: auto-execute", "ada");
    });
    world.host.closeIssue(number, "ada");
    await service.event("delivery.decided", ({ reason }) => reason === "close-without-session");
    expect((await service.parts.store.items.load(world.ref(number))).workItem).toBeNull();
    for (const id of late) await world.host.redeliver(id);
    await until(
      async () => (await service.events("delivery.decided")).length === 2 + late.length,
      "the decisions",
    );
    expect((await service.events("delivery.decided")).slice(2).map(({ reason }) => reason)).toEqual(
      ["older-than-known", "item-closed", "disarmed"],
    );
    expect(await service.turns()).toEqual([]);
    expect((await world.scene.loop("replay", "--since", "1h", "--json")).json()).toMatchObject({
      changed: [],
      unknown: [],
    });
  },
);

test(
  "R19 nor do they where the label went and the item is still open",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    const service = await world.start();
    const { number } = world.host.openIssue({ title: "Water the garden", by: "ada" });
    const late = await unheard(world, service, () => {
      world.host.label(number, "loop: auto-execute", "ada");
      world.host.comment(number, "loop start", "ada");
    });
    await new Promise((resolve) => setTimeout(resolve, 1_100)); // The host's clock counts seconds, and within one nobody can tell.
    world.host.unlabel(number, "loop: auto-execute", "ada");
    await service.event("delivery.decided", ({ reason }) => reason === "disarmed");
    for (const id of late) await world.host.redeliver(id);
    await until(
      async () => (await service.events("delivery.decided")).length === 2 + late.length,
      "the decisions",
    );
    expect((await service.events("delivery.decided")).slice(2).map(({ reason }) => reason)).toEqual(
      ["older-than-known", "not-armed"],
    );
    expect(await service.turns()).toEqual([]);
  },
);
