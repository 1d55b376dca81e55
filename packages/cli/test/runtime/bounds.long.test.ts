import { describe, expect, test } from "vitest";
import { until } from "../support/until.ts";
import { createWorld, type Service, type World } from "../support/world.ts";

const told = (world: World, number: number, words: string): number =>
  world.host.issue(number).comments.filter(({ body }) => body.includes(words)).length;
const doneTurns = async (service: Service): Promise<number> =>
  (await service.turns()).filter(({ state }) => state === "done").length;
const hold = async (service: Service, world: World, number: number): Promise<string | undefined> =>
  (await service.parts.store.items.load(world.ref(number))).lanes[0]?.hold?.reason;

describe("P11 turns that only machines cause", () => {
  test(
    "hold the lane once, with one notice; a person's resume starts the count anew",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld({
        routing: "  loopBreaker: { turns: 2, windowMinutes: 30 }\n  ci: { wakeOn: all }",
      });
      const service = await world.start();
      const number = world.startIssue();
      await until(async () => (await doneTurns(service)) === 1, "the first turn");
      await world.host.commit({
        branch: `issue-${number}`,
        message: "work",
        files: { "a.md": "a\n" },
        by: "ada",
      });
      const pull = await world.host.openPull({
        title: "Water",
        head: `issue-${number}`,
        by: "ada",
      });
      expect(
        (
          await world.scene.loop(
            "sessions",
            "link-pr",
            "--work-item",
            world.ref(number),
            "--pull-request",
            String(pull.number),
          )
        ).code,
      ).toBe(0);
      await until(async () => (await doneTurns(service)) === 2, "the turn of the pull request");

      const check = (name: string): Promise<void> =>
        world.host.check({ name, of: `issue-${number}`, conclusion: "success" });
      for (const [at, name] of ["one", "two"].entries()) {
        await check(name);
        await until(
          async () => (await doneTurns(service)) === 3 + at,
          `the turn of check ${name}`,
          async () => JSON.stringify(await service.events(), null, 1),
        );
      }
      await check("three");
      await until(
        async () => (await hold(service, world, number)) === "loop-breaker",
        "the held lane",
        async () => JSON.stringify(await service.events("delivery.decided"), null, 1),
      );
      await until(() => told(world, number, "without a word of a person") === 1, "the notice");
      await check("four");

      world.host.comment(number, "loop resume", "ada");
      await until(async () => (await doneTurns(service)) >= 5, "what waited");
      expect(told(world, number, "without a word of a person")).toBe(1);
    },
  );
});

describe("a budget of a work item", () => {
  test(
    "reached, it holds the lane with one notice; resume grants the same amount again",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld({ routing: "  budget: { turns: 2 }" });
      const service = await world.start();
      const number = world.startIssue();
      await until(async () => (await doneTurns(service)) === 1, "the first turn");
      world.host.comment(number, "second", "ada");
      await until(async () => (await hold(service, world, number)) === "budget", "the held lane");
      await until(() => told(world, number, "the budget of a work item is 2") === 1, "the notice");

      world.host.comment(number, "third", "ada");
      await until(async () => (await service.turns()).length === 3, "the third turn");
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(await doneTurns(service)).toBe(2);

      world.host.comment(number, "loop resume", "ada");
      await until(async () => (await doneTurns(service)) === 3, "the third turn's end");
      expect(await hold(service, world, number)).toBeUndefined();
      world.host.comment(number, "fourth", "ada");
      await until(
        () => told(world, number, "the budget of a work item is 2") === 2,
        "the second notice",
      );
    },
  );
});
