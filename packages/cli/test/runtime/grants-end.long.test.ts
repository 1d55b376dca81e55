import { describe, expect, test } from "vitest";
import { intakes, listen } from "../support/intake.ts";
import { createWorld } from "../support/world.ts";

describe.each(intakes)("a grant, by %s", (intake) => {
  test(
    "ends with a closing by somebody who may not close, and a reopening brings it back for nobody",
    { timeout: 120_000 },
    async () => {
      const world = await createWorld();
      const { host } = world;
      const { told, reasons, service } = await listen(world, intake);
      const number = world.startIssue();
      await told();
      expect(
        await world.scene.loop("add-collaborator", "@dave", "--work-item", world.ref(number)),
      ).toMatchObject({ code: 0 });
      await told();
      host.closeIssue(number, "mallory");
      await told();
      const item = await service.parts.store.items.load(world.ref(number));
      expect([
        item.collaborators,
        item.workItem?.closeDeferred,
        item.workItem?.control.status,
      ]).toEqual([[], true, "started"]);
      host.comment(number, "One more thing.", "dave");
      await told();
      host.reopenIssue(number, "mallory");
      await told();
      host.comment(number, "And another.", "dave");
      await told();
      expect((await reasons()).filter((reason) => reason === "input-of-collaborator")).toEqual([]);
      expect(world.prompts().filter(({ text }) => /One more thing|And another/.test(text))).toEqual(
        [],
      );
    },
  );
});
