import { expect, test } from "vitest";
import type { RuntimeParts } from "@loopwork/runtime";
import { until } from "../support/until.ts";
import { createWorld } from "../support/world.ts";

/**
 * A store whose first write of a kind fails, as one on a disk that is full for a moment, and a
 * clock that can be put forward.
 */
function failingOnce(at: "record-child" | "settle"): {
  readonly decorate: (parts: RuntimeParts) => RuntimeParts;
  readonly forward: (ms: number) => void;
} {
  let [failed, ahead] = [false, 0];
  const fail = (): void => {
    if (failed) return;
    failed = true;
    throw new Error("the disk is full");
  };
  return {
    forward: (ms) => void (ahead += ms),
    decorate(parts) {
      const { lanes } = parts.store;
      const broken: typeof lanes = {
        ...lanes,
        async begin(lease, id, attempt, lines) {
          if (at === "record-child" && attempt.child !== null) fail();
          return lanes.begin(lease, id, attempt, lines);
        },
        async settle(lease, id, end) {
          if (at === "settle") fail();
          return lanes.settle(lease, id, end);
        },
      };
      return {
        ...parts,
        clock: { now: () => Date.now() + ahead },
        store: { ...parts.store, lanes: broken },
      };
    },
  };
}

for (const at of ["record-child", "settle"] as const) {
  test(
    `a turn on which the store fails at ${at} is taken up by the same life, and its message is sent once`,
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const { decorate, forward } = failingOnce(at);
      const service = await world.start(decorate);
      world.startIssue("{{stub:text done}}");
      await until(
        () => service.said.some((line) => line.includes("the disk is full")),
        "the failure",
        () => service.said.join("\n"),
      );
      expect((await service.event("daemon.warning")).fields).toMatchObject({
        detail: "the disk is full",
      });
      forward(31_000);
      await until(
        async () => (await service.turns()).some(({ state }) => state === "done"),
        "the end of the turn",
        async () => JSON.stringify(await service.turns()),
      );
      expect(world.prompts()).toHaveLength(1);
    },
  );
}
