import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RuntimeParts } from "@loopwork/runtime";
import { until } from "../support/until.ts";
import { createWorld, type World } from "../support/world.ts";

test(
  "two items that begin at once in one working directory work there one after the other",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    const workdir = join(world.scene.dir, "one-tree");
    mkdirSync(workdir);
    const git = (...args: readonly string[]): void =>
      void execFileSync("git", [
        "-C",
        workdir,
        "-c",
        "user.name=t",
        "-c",
        "user.email=t@t.invalid",
        ...args,
      ]);
    git("init", "--quiet");
    git("commit", "--quiet", "--allow-empty", "--message", "first");
    world.scene.configure(
      readFileSync(world.scene.configFile, "utf8").replace(
        "workspace: { root: checkouts }",
        `spawnWorkdir: ${JSON.stringify(workdir)}`,
      ),
    );
    let [running, most] = [0, 0];
    const counting = (parts: RuntimeParts): RuntimeParts => ({
      ...parts,
      run: {
        ...parts.run,
        async spawn(plan) {
          const child = await parts.run.spawn(plan);
          if (plan.cwd !== workdir) return child;
          most = Math.max(most, ++running);
          void child.ended.then(() => (running -= 1));
          return child;
        },
      },
    });
    const service = await world.start(counting);
    for (const _ of [1, 2, 3]) world.startIssue("{{stub:hang 700}}");
    await until(
      async () => (await service.turns()).filter(({ state }) => state === "done").length === 3,
      "three turns",
      async () => [...service.said, JSON.stringify(await service.turns())].join("\n"),
      40_000,
    );
    expect(most).toBe(1);
  },
);

/** A workspace that makes no checkout until it is let, and any from then on. */
function slowWorkspace(): {
  readonly decorate: (parts: RuntimeParts) => RuntimeParts;
  readonly preparing: () => boolean;
  readonly release: () => void;
} {
  let release: () => void = () => {};
  let [preparing, free] = [false, false];
  return {
    preparing: () => preparing,
    release() {
      free = true;
      release();
    },
    decorate: (parts) => ({
      ...parts,
      workspace: {
        ...parts.workspace,
        async prepare(request) {
          preparing = true;
          if (!free) await new Promise<void>((resolve) => (release = resolve));
          return parts.workspace.prepare(request);
        },
      },
    }),
  };
}

test(
  "S05 a stop while the checkout is made: no session is left open, and nothing is told to it later",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    const { decorate, preparing, release } = slowWorkspace();
    const service = await world.start(decorate);
    const number = world.startIssue();
    await until(preparing, "the checkout");
    world.host.comment(number, "loop stop", "ada");
    await service.event("session.closed");
    release();
    await until(
      async () => (await service.parts.store.stats()).lanesLeased === 0,
      "the lane's way back",
    );
    world.host.comment(number, "and now?", "ada");
    await service.event("delivery.decided", ({ reason }) => reason === "not-running");
    expect(world.prompts()).toEqual([]);
    expect(
      (await service.parts.store.items.load(world.ref(number))).sessions.filter(
        ({ status }) => status === "active",
      ),
    ).toEqual([]);
  },
);

test(
  "a pause while the checkout is made: nothing begins before the resume",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    const { decorate, preparing, release } = slowWorkspace();
    const service = await world.start(decorate);
    const number = world.startIssue();
    await until(preparing, "the checkout");
    world.host.comment(number, "loop pause", "ada");
    await service.event("delivery.decided", ({ reason }) => reason === "pause-requested");
    release();
    await until(
      async () => (await service.parts.store.stats()).lanesLeased === 0,
      "the lane's way back",
    );
    expect([world.prompts().length, (await service.turns()).map(({ state }) => state)]).toEqual([
      0,
      ["ready"],
    ]);
    world.host.comment(number, "loop resume", "ada");
    await service.event("turn.done");
    expect(world.prompts()).toHaveLength(1);
  },
);

test(
  "a holder that was slow to make the checkout does not end the session that the lane's next holder opened",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    const { decorate, preparing, release } = slowWorkspace();
    const service = await world.start(decorate);
    const number = world.startIssue();
    await until(preparing, "the checkout");
    const { evolve } = await import("@loopwork/core");
    const endpoint = { host: null, owner: "practice", repo: "garden", number };
    await service.parts.store.items.update(world.ref(number), (item) => ({
      after: evolve(item, {
        kind: "session-opened",
        endpoint,
        harness: "A",
        harnessSessionId: "11111111-1111-4111-8111-111111111111",
        workdir: world.scene.dir,
        runner: "headless",
        at: 1,
      }),
      lines: [],
    }));
    release();
    await until(
      async () => (await service.turns()).every(({ state }) => state === "done"),
      "the turn",
      undefined,
      20_000,
    );
    expect(
      (await service.parts.store.items.load(world.ref(number))).sessions.map(
        ({ harnessSessionId }) => harnessSessionId,
      ),
    ).toEqual(["11111111-1111-4111-8111-111111111111"]);
  },
);

for (const [name, end, removed] of [
  [
    "cleanup",
    (world: World, number: number) => world.host.comment(number, "loop cleanup", "ada"),
    true,
  ],
  ["closing", (world: World, number: number) => world.host.closeIssue(number, "ada"), true],
  ["stop", (world: World, number: number) => world.host.comment(number, "loop stop", "ada"), false],
] as const) {
  test(
    `a ${name} that is through before the checkout stands ${removed ? "leaves none behind" : "keeps the one that comes"}`,
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const { decorate, preparing, release } = slowWorkspace();
      const service = await world.start(decorate);
      const number = world.startIssue();
      await until(preparing, "the checkout");
      end(world, number);
      await until(
        async () =>
          (await service.turns()).some(({ state }) => state === "dropped") &&
          (await service.parts.store.stats()).pendingEffects === 0,
        "the end of it",
        async () => JSON.stringify(await service.events()),
      );
      release();
      const { fields } = await service.event("checkout.prepared");
      await until(
        async () => (await service.parts.store.stats()).lanesLeased === 0,
        "the lane's way back",
      );
      expect(existsSync(String(fields["workdir"]))).toBe(!removed);
      expect(
        (await service.events("checkout.released")).some(
          ({ fields: { removed: list } }) => list === fields["workdir"],
        ),
      ).toBe(removed);
      expect(world.prompts()).toEqual([]);
    },
  );
}

test(
  "a conversation that the harness could never take holds its lane and says why",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    const service = await world.start();
    const { number } = world.host.openIssue({
      title: "Water",
      body: "x",
      labels: ["loop: auto-execute"],
      by: "ada",
    });
    const { items } = service.parts.store;
    const endpoint = { host: null, owner: "practice", repo: "garden", number };
    const { evolve } = await import("@loopwork/core");
    await items.update(world.ref(number), (item) => ({
      after: evolve(item, {
        kind: "session-opened",
        endpoint,
        harness: "A",
        harnessSessionId: "No_UUID_at_all",
        workdir: world.scene.dir,
        runner: "headless",
        at: 1,
      }),
      lines: [],
    }));
    world.host.comment(number, "hello", "ada");
    const held = await service.event("lane.held");
    expect(held).toMatchObject({ reason: "failed" });
    expect(String(held.fields["detail"])).toContain("UUID");
  },
);
