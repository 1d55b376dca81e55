import { expect, test } from "vitest";
import { createWorld } from "../support/world.ts";

test("D03 a body that was accepted and cannot be read any more is told loudly, and what is behind it goes on", async () => {
  const world = await createWorld();
  let lost = 0;
  const service = await world.start((parts) => ({
    ...parts,
    store: { ...parts.store, log: { ...parts.store.log, body: (seq) => (seq === 1 ? (lost++, Promise.resolve(null)) : parts.store.log.body(seq)) } },
  }));
  world.startIssue("{{stub:text done}}");
  await service.event("turn.done");
  expect(lost).toBe(1);
  expect(await service.event("daemon.warning", ({ reason }) => reason === "body-unreadable")).toMatchObject({ level: "error" });
  expect(service.said.join("\n")).toContain("cannot be read any more");
});
