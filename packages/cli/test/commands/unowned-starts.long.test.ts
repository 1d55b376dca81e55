import type { RefText } from "@loopwork/core/ports";
import { deliveryOf } from "@loopwork/core/testing";
import { openStore } from "@loopwork/store";
import { expect, test } from "vitest";
import { startService } from "../support/service.ts";
import { until } from "../support/until.ts";
import { createWorld, type World } from "../support/world.ts";

const armed = (world: World): number =>
  world.host.openIssue({
    title: "Water",
    body: "{{stub:text ok}}",
    labels: ["loop: auto-execute"],
    by: "ada",
  }).number;

test(
  "S10: a start for an instance that is not there says nothing on the thread and stands in the status, until somebody takes it",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld({ more: "instance: { name: north }" });
    const service = await world.start();
    const [meant, strangers] = [armed(world), armed(world)];
    world.host.comment(strangers, "loop start instance:south", "mallory");
    world.host.comment(meant, "loop start instance:south", "ada");
    await service.event("delivery.decided", ({ reason }) => reason === "addressed-elsewhere");

    const status = await world.scene.loop("status");
    expect(status.out).toMatch(
      new RegExp(
        `${world.ref(meant)} {2}started by @ada .*is for instance south, which nobody knows`,
      ),
    );
    expect(status.out).toContain('comment "loop start instance:north" on it');
    expect(status.out).not.toContain(world.ref(strangers));
    expect((await world.scene.loop("status", "--json")).json()).toMatchObject({
      unownedStarts: [
        {
          workItem: world.ref(meant),
          address: "south",
          addressee: "unknown",
          by: "ada",
          reason: "addressed-elsewhere",
        },
      ],
    });
    expect(world.host.issue(meant).comments).toHaveLength(1);

    world.host.comment(meant, "loop start instance:north", "ada");
    await service.event("turn.done");
    expect((await world.scene.loop("status", "--json")).json()).toMatchObject({
      unownedStarts: [],
    });
  },
);

test(
  "S10: a start is not hidden by thousands of decisions that came after it, this instance's and others'",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld({ more: "instance: { name: north }" });
    const service = await world.start();
    const meant = armed(world);
    world.host.comment(meant, "loop start instance:south", "ada");
    const { time, ...line } = await service.event(
      "delivery.decided",
      ({ reason }) => reason === "addressed-elsewhere",
    );
    const busy = Array.from({ length: 1_100 }, (_, n) => ({
      ...line,
      time: time + n + 1,
      reason: n % 2 === 0 ? "armed" : "addressed-elsewhere",
      instance: "south",
      workItem: `host:other/app#${n}`,
      delivery: `busy-${n}`,
    }));
    await service.parts.store.events.append(busy);
    const decisions = Array.from({ length: 300 }, (_, n) => ({
      id: `chatter-${n}`,
      workItem: `host:other/app#${n}` as RefText,
    }));
    for (const { id, workItem } of decisions) {
      const accepted = await service.parts.store.append({
        ...deliveryOf(id),
        event: "ping",
        ignored: "ping",
        body: null,
        receivedAt: Date.now(),
      });
      if (accepted.kind === "accepted")
        await service.parts.store.log.decide(accepted.seq, workItem, () => ({
          event: null,
          state: null,
          decision: {
            verdict: { kind: "refused", verb: "start" },
            reason: "addressed-elsewhere",
            effects: [],
          },
          after: null,
          key: null,
          lines: [],
          pin: null,
        }));
    }
    expect((await world.scene.loop("status", "--json")).json()).toMatchObject({
      unownedStarts: [{ workItem: world.ref(meant), address: "south" }],
    });
  },
);

test.each([
  ["addressed", "names no instance", 'comment "loop start instance:north" on it'],
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

test.each(["stopped", "away", "running"] as const)(
  "S10: a start for an instance that is %s is seen as that by the others",
  { timeout: 60_000 },
  async (standing) => {
    const world = await createWorld({ more: "instance: { name: north }" });
    const service = await world.start();
    const meant = await openStore(`sqlite:${world.stateRoot}/loop.db`, {
      instance: "south",
      now: () => Date.now() - (standing === "away" ? 3_600_000 : 0),
    });
    await meant.instances.enter({
      incarnation: "life",
      machine: "elsewhere",
      scope: { mode: "open", workItems: [] },
    });
    if (standing === "stopped") await meant.instances.leave();
    await meant.close();
    world.host.comment(armed(world), "loop start instance:south", "ada");
    await service.event("delivery.decided", ({ reason }) => reason === "addressed-elsewhere");
    expect((await world.scene.loop("status", "--json")).json()).toMatchObject({
      unownedStarts: [{ address: "south", addressee: standing }],
    });
  },
);

test("S10: REST tells of it as the status does", { timeout: 120_000 }, async () => {
  const world = await createWorld({ more: "instance: { name: north }" });
  const service = await startService(world);
  const meant = armed(world);
  world.host.comment(meant, "loop start instance:south", "ada");
  const unowned = {
    workItem: world.ref(meant),
    address: "south",
    addressee: "unknown",
    by: "ada",
    words: "is for instance south, which nobody knows",
    type: 'if nobody took it: comment "loop start instance:north" on it',
  };
  const asked = async (): Promise<{ readonly items: readonly unknown[] }> =>
    (await service.get("/api/v1/unowned-starts")).body as { items: unknown[] };
  await until(async () => (await asked()).items.length > 0, "the start");
  expect(await asked()).toMatchObject({ items: [unowned], next: null });
  expect((await world.scene.loop("status", "--json")).json()).toMatchObject({
    unownedStarts: [unowned],
  });
});
