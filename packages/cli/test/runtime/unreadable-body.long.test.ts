import { deliveryOf } from "@loopwork/core/testing";
import { expect, test } from "vitest";
import { createWorld } from "../support/world.ts";

test("D03 a body that was accepted and cannot be read any more is told loudly, and what is behind it goes on", async () => {
  const world = await createWorld();
  let lost = 0;
  const service = await world.start((parts) => ({
    ...parts,
    store: {
      ...parts.store,
      log: {
        ...parts.store.log,
        body: (seq) => (seq === 1 ? (lost++, Promise.resolve(null)) : parts.store.log.body(seq)),
      },
    },
  }));
  world.startIssue("{{stub:text done}}");
  await service.event("turn.done");
  expect(lost).toBe(1);
  expect(
    await service.event("daemon.warning", ({ reason }) => reason === "body-unreadable"),
  ).toMatchObject({ level: "error" });
  expect(service.said.join("\n")).toContain("cannot be read any more");
});

test("a body that is gone because bodies are kept no longer makes no noise, and what is behind it goes on", async () => {
  const world = await createWorld({ more: "retention: { bodiesDays: 30 }" });
  const service = await world.start((parts) => ({
    ...parts,
    store: {
      ...parts.store,
      log: {
        ...parts.store.log,
        body: async (seq) =>
          (await parts.store.log.find("old"))?.seq === seq ? null : parts.store.log.body(seq),
      },
    },
  }));
  await service.parts.store.append(deliveryOf("old", { receivedAt: Date.now() - 31 * 86_400_000 }));
  world.startIssue("{{stub:text done}}");
  await service.event("turn.done");
  expect(
    (await service.events("delivery.decided")).find(({ delivery }) => delivery === "old"),
  ).toMatchObject({ level: "debug", reason: "body-forgotten" });
  expect(await service.events("daemon.warning")).toEqual([]);
  expect(service.said.join("\n")).not.toContain("cannot be read");
  expect((await world.scene.loop("why", "old")).out).toContain(
    "The body was deleted after `retention.bodiesDays` days",
  );
});
