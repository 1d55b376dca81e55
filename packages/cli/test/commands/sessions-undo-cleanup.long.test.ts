import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createWorld } from "../support/world.ts";

test("sessions undo-cleanup brings back what a cleanup saved; a second time there is nothing", async () => {
  const world = await createWorld();
  const service = await world.start();
  const number = world.startIssue("{{stub:text done}}");
  await service.event("turn.done");
  const workdir = String((await service.event("checkout.prepared")).fields["workdir"]);
  writeFileSync(join(workdir, "unsaved.txt"), "precious\n");
  expect(await world.scene.loop("sessions", "undo-cleanup", world.ref(number))).toMatchObject({
    code: 1,
    out: expect.stringContaining("Nothing to restore"),
  });

  world.host.comment(number, "loop cleanup", "ada");
  await service.event("checkout.released");
  expect(existsSync(workdir)).toBe(false);
  const undone = await world.scene.loop(
    "sessions",
    "undo-cleanup",
    "--work-item",
    world.ref(number),
  );
  expect(undone).toMatchObject({ code: 0, out: expect.stringContaining("Restored ") });
  expect(readFileSync(join(workdir, "unsaved.txt"), "utf8")).toBe("precious\n");
  expect(await service.event("checkout.restored")).toMatchObject({
    workItem: world.ref(number),
    fields: { workdir },
  });
  expect(await world.scene.loop("sessions", "undo-cleanup", world.ref(number))).toMatchObject({
    code: 1,
  });
});

test("sessions undo-cleanup does nothing where a checkout stands: it may hold newer work", async () => {
  const world = await createWorld();
  const service = await world.start();
  const number = world.startIssue("{{stub:text done}}");
  await service.event("turn.done");
  const workdir = String((await service.event("checkout.prepared")).fields["workdir"]);
  writeFileSync(join(workdir, "unsaved.txt"), "old\n");
  world.host.comment(number, "loop cleanup", "ada");
  await service.event("checkout.released");
  await world.scene.loop("sessions", "undo-cleanup", world.ref(number));
  writeFileSync(join(workdir, "unsaved.txt"), "newer\n");
  const salvaged = String((await service.event("checkout.released")).fields["salvage"]);
  const file = join(salvaged, "salvage.json");
  writeFileSync(
    file,
    readFileSync(file, "utf8").replace(/"restoredAt": "[^"]*"/, '"restoredAt": null'),
  );
  expect(await world.scene.loop("sessions", "undo-cleanup", world.ref(number))).toMatchObject({
    code: 2,
    err: expect.stringContaining("LOOP_E_WORKSPACE_OCCUPIED"),
  });
  expect(readFileSync(join(workdir, "unsaved.txt"), "utf8")).toBe("newer\n");
});
