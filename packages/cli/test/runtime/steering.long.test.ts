import { describe, expect, test } from "vitest";
import { isAlive } from "../../src/processes/process-identity.ts";
import { until } from "../support/until.ts";
import { createWorld, type Service } from "../support/world.ts";

const states = async (service: Service): Promise<readonly string[]> =>
  (await service.turns()).map(({ state }) => state);

describe("S05 people change their minds", () => {
  test(
    "a stop while the spawn works ends the child, the turn and the session, and keeps the checkout",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const service = await world.start();
      const number = world.startIssue("{{stub:hang 30000}}");
      const child = await until(
        async () =>
          world.prompts().length === 1
            ? ((await service.turns())[0]?.attempt?.child ?? null)
            : null,
        "the child",
      );
      world.host.comment(number, "loop stop", "ada");
      await service.event("session.closed");
      expect(isAlive(child)).toBe(false);
      expect(await states(service)).toEqual(["dropped"]);
      const item = await service.parts.store.items.load(world.ref(number));
      expect(item.workItem?.control.status).toBe("stopped");
      expect(item.lanes.map(({ hold }) => hold)).toEqual([null]);
      expect(await service.parts.workspace.headOf(item.sessions[0]?.workdir ?? "")).not.toBeNull();

      world.host.comment(number, "loop start", "ada");
      await until(() => world.prompts().length === 2, "the new session");
      expect(new Set(world.prompts().map(({ session }) => session)).size).toBe(2);
    },
  );

  test(
    "start and stop within the same second: the last word counts, and nothing is left behind",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const service = await world.start();
      const number = world.startIssue("{{stub:hang 20000}}");
      world.host.comment(number, "loop stop", "ada");
      await until(
        async () =>
          (await service.parts.store.items.load(world.ref(number))).workItem?.control.status ===
          "stopped",
        "the stop",
      );
      await until(
        async () => (await states(service)).every((state) => state === "dropped"),
        "the turn's end",
        async () => JSON.stringify(await service.events(), null, 1),
      );
      const item = await service.parts.store.items.load(world.ref(number));
      await until(
        async () =>
          (await service.parts.store.items.load(world.ref(number))).sessions.every(
            ({ status }) => status === "closed",
          ),
        "the session's end",
      );
      expect(item.workItem?.control.status).toBe("stopped");
      for (const { attempt } of await service.turns())
        expect(attempt?.child != null && isAlive(attempt.child)).toBe(false);
    },
  );

  test(
    "a pause during a turn lets it end; what comes waits and is told in order on resume",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const service = await world.start();
      const number = world.startIssue("{{stub:hang 1500}}");
      await until(() => world.prompts().length === 1, "the first prompt");
      world.host.comment(number, "loop pause", "ada");
      world.host.comment(number, "word one", "ada");
      world.host.comment(number, "word two", "ada");
      await until(async () => (await states(service)).includes("done"), "the first turn's end");
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(world.prompts()).toHaveLength(1);

      world.host.comment(number, "loop resume", "ada");
      await until(
        async () => (await states(service)).every((state) => state === "done"),
        "what waited",
      );
      const told = world
        .prompts()
        .slice(1)
        .map(({ text }) => text)
        .join("\n");
      expect(told.indexOf("word one")).toBeGreaterThan(0);
      expect(told.indexOf("word two")).toBeGreaterThan(told.indexOf("word one"));
    },
  );
});
