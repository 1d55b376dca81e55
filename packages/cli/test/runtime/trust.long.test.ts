import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createWorld } from "../support/world.ts";

test("before a spawn the checkout is marked trusted in the harness's configuration, and the event log says so", async () => {
  const world = await createWorld();
  const service = await world.start();
  world.startIssue("{{stub:text done}}");
  await service.event("turn.done");
  const trusted = await service.event("workspace.trusted");
  const prepared = await service.event("checkout.prepared");
  const written: unknown = JSON.parse(
    readFileSync(join(world.scene.home, ".claude", ".claude.json"), "utf8"),
  );
  expect(written).toMatchObject({
    projects: { [String(prepared.fields["workdir"])]: { hasTrustDialogAccepted: true } },
  });
  expect(trusted.id).toBeLessThan((await service.event("session.opened")).id);
});

test("routing.harnessTrust.enabled: false leaves the harness's configuration alone", async () => {
  const world = await createWorld({ routing: "  harnessTrust: { enabled: false }" });
  const service = await world.start();
  world.startIssue("{{stub:text done}}");
  await service.event("turn.done");
  expect(await service.events("workspace.trusted")).toEqual([]);
  expect(await service.events("workspace.trust-failed")).toEqual([]);
});

test("trust that cannot be written is a warning in the event log, and the spawn proceeds", async () => {
  const world = await createWorld();
  const file = join(world.scene.home, ".claude", ".claude.json");
  mkdirSync(join(world.scene.home, ".claude"), { recursive: true });
  writeFileSync(file, "[]");
  const service = await world.start();
  world.startIssue("{{stub:text done}}");
  await service.event("turn.done");
  expect(await service.event("workspace.trust-failed")).toMatchObject({ level: "warn" });
  expect(readFileSync(file, "utf8")).toBe("[]");
});
