import { evolve } from "@loopwork/core";
import { expect, test } from "vitest";
import { refOf } from "../../../runtime/src/turn/session.ts";
import { until } from "../support/until.ts";
import { createWorld } from "../support/world.ts";

test(
  "a comment for a lost session begins a new conversation, which is told that there was one and what the comment is",
  { timeout: 120_000 },
  async () => {
    const world = await createWorld();
    const service = await world.start();
    const number = world.startIssue();
    await until(
      async () => (await service.turns()).some(({ state }) => state === "done"),
      "the first turn",
    );
    await service.parts.store.items.update(world.ref(number), (item) => ({
      after: evolve(item, { kind: "session-lost", endpoint: refOf(world.ref(number)) }),
      lines: [],
    }));
    world.host.comment(number, "And the header, please.", "ada");
    await until(
      async () => (await service.turns()).filter(({ state }) => state === "done").length === 2,
      "the second turn",
    );
    const [first, second] = world.prompts();
    expect(second?.session).not.toBe(first?.session);
    expect(second?.text).toContain("The earlier conversation about this work item is lost.");
    expect(second?.text).toContain("There is a comment on the thread: do or answer what it asks.");
    expect(first?.text).not.toContain("The earlier conversation");
  },
);
