import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { until } from "../support/until.ts";
import { createWorld, harnessEnvironment, type Service, type World } from "../support/world.ts";

/** Comments of the service on a thread. */
const notices = (world: World, number: number): number =>
  world.host.issue(number).comments.filter(({ body }) => body.includes("cannot work")).length;

async function held(service: Service, reason: string): Promise<number> {
  const items = await service.parts.store.items.list();
  return items.flatMap(({ lanes }) => lanes).filter(({ hold }) => hold?.reason === reason).length;
}

const doneTurns = async (service: Service): Promise<number> =>
  (await service.turns()).filter(({ state }) => state === "done").length;

describe("X03 what concerns the harness as a whole", () => {
  test(
    "a missing login holds every lane with one notice; resume asks the harness first, and one that works opens all",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld({ routing: "  maxConcurrentTurns: 1" });
      harnessEnvironment(world, "export FIXTURE_REQUIRE_LOGIN=1\n");
      const service = await world.start();
      const first = world.startIssue();
      const second = world.startIssue();
      await until(
        async () => (await held(service, "login")) === 2,
        "two held lanes",
        async () => JSON.stringify(await service.events(), null, 1),
      );
      await until(() => notices(world, first) + notices(world, second) === 1, "one notice");

      const before = world.prompts().length;
      world.host.comment(first, "loop resume", "ada");
      await until(
        async () =>
          (await service.events("lane.held")).filter(({ reason }) => reason === "login").length >=
          3,
        "held again after the probe",
      );
      expect(world.prompts()).toHaveLength(before);

      harnessEnvironment(world, "");
      world.host.comment(first, "loop resume", "ada");
      await until(
        async () => (await doneTurns(service)) === 2,
        "both turns",
        async () => JSON.stringify(await service.events(), null, 1),
        60_000,
      );
      expect(await held(service, "login")).toBe(0);
      expect((await service.events("lane.opened")).map(({ reason }) => reason)).toContain(
        "harness-works",
      );
      expect(notices(world, first) + notices(world, second)).toBe(1);
    },
  );

  test(
    "what follows for other lanes, however long it takes, renews no lease: that was given back",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld({ routing: "  maxConcurrentTurns: 1" });
      harnessEnvironment(world, "export FIXTURE_REQUIRE_LOGIN=1\n");
      const renewals = new Set<() => void>();
      let [settled, followed] = [false, 0];
      const service = await world.start((parts) => {
        const { timers, store } = parts;
        const every: typeof timers.every = (ms, call) => {
          const stop = timers.every(ms, call);
          if (ms === 10_000) renewals.add(call);
          return () => (renewals.delete(call), stop());
        };
        const settle: typeof store.lanes.settle = async (...args) =>
          (settled = await store.lanes.settle(...args));
        const updateOwn: typeof store.items.updateOwn = async (...args) => {
          if (settled) for (const renew of ((followed += 1), renewals)) renew();
          await new Promise((resolve) => setTimeout(resolve, 50));
          return store.items.updateOwn(...args);
        };
        return {
          ...parts,
          timers: { ...timers, every },
          store: {
            ...store,
            lanes: { ...store.lanes, settle },
            items: { ...store.items, updateOwn },
          },
        };
      });
      world.startIssue();
      world.startIssue();
      await until(
        async () => (await held(service, "login")) === 2,
        "two held lanes",
        async () => JSON.stringify(await service.events(), null, 1),
      );
      expect(followed).toBeGreaterThan(0);
      expect(service.said.filter((line) => line.includes("was lost"))).toEqual([]);
    },
  );

  test(
    "a resume that comes while the harness is being asked is not lost on the answer",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      harnessEnvironment(world, "export FIXTURE_REQUIRE_LOGIN=1\n");
      const service = await world.start();
      const number = world.startIssue();
      await until(async () => (await held(service, "login")) === 1, "the held lane");

      const asked = join(world.scene.dir, "asked");
      harnessEnvironment(
        world,
        `export FIXTURE_REQUIRE_LOGIN=1\n[ "$1" = auth ] && touch '${asked}' && sleep 2\n`,
      );
      world.host.comment(number, "loop resume", "ada");
      await until(() => existsSync(asked), "the question to the harness");
      harnessEnvironment(world, "");
      world.host.comment(number, "loop resume", "ada");
      await until(
        async () => (await doneTurns(service)) === 1,
        "the turn",
        async () => JSON.stringify(await service.events(), null, 1),
      );
      expect((await service.events("delivery.decided")).map(({ reason }) => reason)).toContain(
        "not-paused",
      );
      expect((await service.events("lane.held")).map(({ reason }) => reason)).toEqual([
        "login",
        "login",
      ]);
    },
  );

  test(
    "at a usage limit every lane sleeps until the reset; then one probes and the others go on with it",
    { timeout: 120_000 },
    async () => {
      const world = await createWorld({ routing: "  maxConcurrentTurns: 1" });
      harnessEnvironment(world, "export CLAUDE_CODE_OAUTH_TOKEN=dummy\n");
      const service = await world.start();
      // Long enough that on a busy machine the limit is met before it is over.
      const reset = Math.floor(Date.now() / 1000) + 15;
      const first = world.startIssue(`{{stub:limit five_hour ${reset}}}`);
      await until(
        async () => (await held(service, "usage-limit")) === 1,
        "the sleeping lane",
        async () => JSON.stringify(await service.events(), null, 1),
      );
      world.startIssue();
      await until(async () => (await held(service, "usage-limit")) === 2, "the other lane");
      const untils = (await service.parts.store.items.list())
        .flatMap(({ lanes }) => lanes.map(({ hold }) => hold?.until ?? 0))
        .toSorted((a, b) => a - b);
      expect(untils).toEqual([reset * 1000, reset * 1000 + 120_000]);
      expect(
        world.host.issue(first).comments.filter(({ author }) => author.login === "loop-agent"),
      ).toHaveLength(0);

      await until(
        async () => (await doneTurns(service)) === 2,
        "both turns",
        async () => JSON.stringify(await service.events(), null, 1),
        60_000,
      );
      expect(Date.now()).toBeGreaterThanOrEqual(reset * 1000);
    },
  );

  test(
    "a harness that is not there holds every lane; installed, a resume goes on",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      harnessEnvironment(world, "exit 127\n");
      const service = await world.start();
      rmSync(join(world.scene.dir, "bin", "claude"));
      const number = world.startIssue();
      await until(
        async () => (await held(service, "not-installed")) === 1,
        "the held lane",
        async () => JSON.stringify(await service.events(), null, 1),
      );
      await until(() => notices(world, number) === 1, "the notice");
    },
  );
});
