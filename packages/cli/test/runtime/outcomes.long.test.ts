import { globSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { until } from "../support/until.ts";
import { createWorld, type Service, type World } from "../support/world.ts";

const told = (world: World, number: number, words: string): number =>
  world.host.issue(number).comments.filter(({ body }) => body.includes(words)).length;
const doneTurns = async (service: Service): Promise<number> =>
  (await service.turns()).filter(({ state }) => state === "done").length;

describe("X03 how an attempt ended is told apart", () => {
  test(
    "exit 0 without a turn is no end of turn: the same message goes again after a while",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const service = await world.start();
      const number = world.startIssue("{{fixture:exit 0}}");
      const retried = await service.event("turn.retried");
      expect(retried).toMatchObject({
        reason: "the model was asked and nothing happened yet",
        fields: { counted: true, next: "again", delayMs: 15_000 },
      });
      const [turn] = await service.turns();
      expect(turn).toMatchObject({ state: "ready", attempts: 1 });

      world.host.comment(number, "loop resume", "ada");
      await until(async () => (await service.turns())[0]?.attempts === 2, "the second attempt");
      const [again] = await service.turns();
      expect(again?.attempt?.receipt).toBe(turn?.attempt?.receipt);
      expect(new Set(world.prompts().map(({ receipt }) => receipt)).size).toBe(1);
    },
  );

  test(
    "a conversation that the harness does not know any more: a new one is seeded from the work item",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const service = await world.start();
      const number = world.startIssue("Every morning, please.");
      await until(async () => (await doneTurns(service)) === 1, "the first turn");
      const [first] = world.prompts();
      for (const file of globSync(join(world.scene.home, ".claude/projects/*/*.jsonl")))
        rmSync(file);
      world.host.comment(number, "And in the evening.", "ada");
      await until(
        async () => (await doneTurns(service)) === 2,
        "the second turn",
        async () => JSON.stringify(await service.events(), null, 1),
      );
      expect((await service.event("session.lost")).reason).toContain(
        "does not know the conversation",
      );
      const [second] = world.prompts();
      expect(second?.session).not.toBe(first?.session);
      expect(second?.text).toContain("And in the evening.");
    },
  );

  test(
    "a service of the harness that fails for a moment: a new receipt, later, and it says to look first",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const service = await world.start();
      const number = world.startIssue("{{stub:error 529 overloaded_error busy}}");
      expect(await service.event("turn.retried")).toMatchObject({
        fields: { next: "continue", counted: true },
      });
      world.host.comment(number, "loop resume", "ada");
      await until(() => world.prompts().length === 2, "the second attempt");
      const [first, second] = world.prompts();
      expect(second?.receipt).not.toBe(first?.receipt);
      expect(second?.text).toContain("You were interrupted");
    },
  );

  test(
    "tools that were denied: the turn is done and the thread says which key would allow them",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const service = await world.start();
      const number = world.startIssue("{{stub:bash curl --version}}");
      await service.event("turn.done");
      expect(await service.event("turn.denied-tools")).toMatchObject({
        reason: "Bash",
        fields: { input: "curl --version" },
      });
      await until(() => told(world, number, "harnesses.A.allowedTools") === 1, "the notice");
    },
  );
});

test(
  "X01 a turn that outlives its time is stopped with its group, fails, and the lane goes on",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld({ routing: "  turnTimeoutSeconds: 10" });
    // Short for the turn that hangs alone: on a busy machine another may take longer than that.
    let turnTimeoutSeconds = 1.5;
    const service = await world.start((parts) => ({
      ...parts,
      settings: () => ({
        ...parts.settings(),
        config: {
          ...parts.settings().config,
          routing: { ...parts.settings().config.routing, turnTimeoutSeconds },
        },
      }),
    }));
    const number = world.startIssue("{{stub:hang 30000}}");
    await service.event("turn.failed");
    turnTimeoutSeconds = 50;
    await until(() => told(world, number, "A turn was stopped") === 1, "the notice");
    world.host.comment(number, "Once more. {{stub:text fine}}", "ada");
    await service.event("turn.done");
  },
);
