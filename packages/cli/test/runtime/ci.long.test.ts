import { describe, expect, test } from "vitest";
import type { RuntimeParts } from "@loopwork/runtime";
import { until } from "../support/until.ts";
import { createWorld, type Service, type World } from "../support/world.ts";

const doneTurns = async (service: Service): Promise<number> =>
  (await service.turns()).filter(({ state }) => state === "done").length;
const told = (world: World, number: number, words: string): number =>
  world.host.issue(number).comments.filter(({ body }) => body.includes(words)).length;
const reasons = async (service: Service): Promise<readonly (string | null)[]> =>
  (await service.events("delivery.decided"))
    .filter(({ fields }) => fields["event"] === "check_run")
    .map(({ reason }) => reason);

type AtWork = {
  readonly service: Service;
  readonly number: number;
  readonly pull: number;
  push(letter: string): Promise<string>;
};

/**
 * An issue at work with a recorded pull request; pushes come from the session's own login, which
 * wakes nobody.
 */
async function atWork(
  world: World,
  options: {
    readonly fork?: boolean;
    readonly decorate?: (parts: RuntimeParts) => RuntimeParts;
  } = {},
): Promise<AtWork> {
  const service = await world.start(options.decorate);
  const number = world.startIssue();
  await until(async () => (await doneTurns(service)) === 1, "the first turn");
  const repository = options.fork === true ? await world.host.fork("loop-agent") : world.host;
  const push = (letter: string): Promise<string> =>
    repository.commit({
      branch: `issue-${number}`,
      message: letter,
      files: { "water.txt": `${letter}\n` },
      by: "loop-agent",
    });
  await push("first");
  const { number: pull } = await world.host.openPull({
    title: "Water",
    head: `issue-${number}`,
    ...(options.fork === true ? { headRepository: repository.fullName } : {}),
    by: "loop-agent",
  });
  expect(
    await world.scene.loop(
      "sessions",
      "link-pr",
      "--work-item",
      world.ref(number),
      "--pull-request",
      String(pull),
    ),
  ).toMatchObject({ code: 0 });
  await world.host.idle();
  return { service, number, pull, push };
}

async function fails(
  world: World,
  { service, push }: AtWork,
  letter: string,
  name = "drought",
): Promise<void> {
  const sha = await push(letter);
  await world.host.idle();
  const before = (await reasons(service)).length;
  await world.host.check({ name, of: sha, conclusion: "failure" });
  await until(async () => (await reasons(service)).length > before, `the decision about ${letter}`);
}

describe("a check wakes a session three times, by distinct heads", () => {
  test("also over a restart; then one notice, and nothing more", { timeout: 120_000 }, async () => {
    const world = await createWorld();
    const first = await atWork(world);
    await fails(world, first, "a");
    await fails(world, first, "b");
    await until(async () => (await doneTurns(first.service)) === 3, "two wakes");
    await first.service.stop();

    const service = await world.start();
    const again = { ...first, service };
    await fails(world, again, "c");
    await until(async () => (await doneTurns(service)) === 4, "the third wake");
    await fails(world, again, "d");
    await until(() => told(world, first.pull, "wakes it no more") === 1, "the notice");
    await fails(world, again, "e");
    expect((await reasons(service)).slice(-5)).toEqual([
      "ci-first-failure",
      "ci-first-failure",
      "ci-first-failure",
      "ci-wakes-used-up",
      "ci-wakes-used-up",
    ]);
    expect([await doneTurns(service), told(world, first.pull, "wakes it no more")]).toEqual([4, 1]);
  });

  test(
    "without the record of wakes the fourth head would wake it, too",
    { timeout: 120_000 },
    async () => {
      const world = await createWorld();
      const scene = await atWork(world);
      for (const letter of ["a", "b", "c"]) await fails(world, scene, letter);
      await scene.service.parts.store.items.update(world.ref(scene.number), (item) => ({
        after: { ...item, ciAttempts: [] },
        lines: [],
      }));
      await fails(world, scene, "d");
      expect((await reasons(scene.service)).at(-1)).toBe("ci-first-failure");
    },
  );
});

describe("checks of a fork's pull request, which name none", () => {
  test(
    "reach the session by the recorded head, and by asking the host where the head has moved on",
    { timeout: 120_000 },
    async () => {
      const world = await createWorld();
      const scene = await atWork(world, { fork: true });
      const { service, number } = scene;
      await fails(world, scene, "a");
      await until(async () => (await doneTurns(service)) === 2, "the wake by the recorded head");
      const checks = world.host.deliveries().filter(({ event }) => event === "check_run");
      expect(
        checks.map(({ payload }) =>
          JSON.stringify(payload["check_run"]).includes('"pull_requests":[]'),
        ),
      ).toEqual([true]);

      // Nobody heard of the push: only the host knows which pull request has that head now.
      world.host.aim(null);
      const sha = await scene.push("b");
      world.host.aim({ url: service.url, secret: "practice-secret" });
      await world.host.check({ name: "drought", of: sha, conclusion: "failure" });
      await until(
        async () => (await doneTurns(service)) === 3,
        "the wake by asking",
        async () => JSON.stringify(await service.events("delivery.decided"), null, 1),
      );
      expect((await service.turns()).every(({ workItem }) => workItem === world.ref(number))).toBe(
        true,
      );
    },
  );

  test("without an answer they reach nobody", { timeout: 120_000 }, async () => {
    const world = await createWorld();
    const scene = await atWork(world, {
      fork: true,
      decorate: (parts) => ({
        ...parts,
        host: { ...parts.host, pullRequestsOfCommit: () => Promise.resolve([]) },
      }),
    });
    world.host.aim(null);
    const sha = await scene.push("b");
    world.host.aim({ url: scene.service.url, secret: "practice-secret" });
    await world.host.check({ name: "drought", of: sha, conclusion: "failure" });
    await until(async () => (await reasons(scene.service)).length === 1, "the decision");
    expect(await reasons(scene.service)).toEqual(["ci-no-pull-request"]);
  });
});

describe("checks of a pull request that nobody recorded", () => {
  /** The issue is at work; somebody else opens a pull request for it, which no `link-pr` names. */
  async function unrecorded(
    world: World,
    service: Service,
    pull: { readonly branch: string; readonly body?: string },
  ): Promise<string> {
    const sha = await world.host.commit({
      branch: pull.branch,
      message: "help",
      files: { "water.txt": "help\n" },
      by: "ben",
    });
    await world.host.openPull({
      title: "Help",
      head: pull.branch,
      ...(pull.body === undefined ? {} : { body: pull.body }),
      by: "ben",
    });
    await world.host.idle();
    await until(
      async () => (await service.parts.store.stats()).undecided === 0,
      "the decision about the opening",
    );
    return sha;
  }

  test(
    "reach the session of the issue that it closes, as comments on it do; the host is asked once for a burst",
    { timeout: 120_000 },
    async () => {
      const world = await createWorld();
      let asked = 0;
      const service = await world.start((parts) => ({
        ...parts,
        host: { ...parts.host, pullRequest: (ref) => ((asked += 1), parts.host.pullRequest(ref)) },
      }));
      const number = world.startIssue();
      await until(async () => (await doneTurns(service)) === 1, "the first turn");
      const sha = await unrecorded(world, service, { branch: "help", body: `Closes #${number}` });
      asked = 0;
      for (const name of ["drought", "flood"])
        await world.host.check({ name, of: sha, conclusion: "failure" });
      await until(async () => (await reasons(service)).length === 2, "both decisions");
      expect(await reasons(service)).toEqual(["ci-first-failure", "ci-first-failure"]);
      expect(asked).toBe(1);
      await until(
        async () => (await service.turns()).slice(1).flatMap(({ inputs }) => inputs).length === 2,
        "both told",
      );
      expect(
        (await service.turns()).every(
          ({ workItem, lane }) => workItem === world.ref(number) && lane === world.ref(number),
        ),
      ).toBe(true);
    },
  );

  test("reach nobody where it names no issue", { timeout: 120_000 }, async () => {
    const world = await createWorld();
    const service = await world.start();
    world.startIssue();
    await until(async () => (await doneTurns(service)) === 1, "the first turn");
    await world.host.check({
      name: "drought",
      of: await unrecorded(world, service, { branch: "help" }),
      conclusion: "failure",
    });
    await until(async () => (await reasons(service)).length === 1, "the decision");
    expect(await reasons(service)).toEqual(["not-running"]);
  });
});

describe("a pull request that is a work item of its own", () => {
  test(
    "hears of a commit status, and of a check of its fork, which name no pull request",
    { timeout: 120_000 },
    async () => {
      for (const fork of [false, true]) {
        const world = await createWorld();
        const service = await world.start();
        const repository = fork ? await world.host.fork("ben") : world.host;
        const sha = await repository.commit({
          branch: "tidy",
          message: "tidy",
          files: { "water.txt": "tidy\n" },
          by: "ben",
        });
        const { number } = await world.host.openPull({
          title: "Tidy",
          head: "tidy",
          ...(fork ? { headRepository: repository.fullName } : {}),
          labels: ["loop: auto-execute"],
          by: "ben",
        });
        world.host.comment(number, "loop start", "ada");
        await until(
          async () => (await doneTurns(service)) === 1,
          "the first turn",
          async () => JSON.stringify(await service.events(), null, 1),
        );
        await world.host.check({
          name: "drought",
          of: sha,
          conclusion: "failure",
          kind: fork ? "check_run" : "status",
        });
        await until(
          async () => (await doneTurns(service)) === 2,
          "the wake",
          async () => JSON.stringify(await service.events("delivery.decided"), null, 1),
        );
        expect((await service.turns()).map(({ lane, workItem }) => [lane, workItem])).toEqual([
          [world.ref(number), world.ref(number)],
          [world.ref(number), world.ref(number)],
        ]);
      }
    },
  );
});

describe("a burst of deliveries for one push", () => {
  const names = ["build", "lint", "types", "unit", "e2e", "docs"];

  /**
   * Six checks begin and end, two of them badly; suites, a workflow and a status around them:
   * twenty in all.
   */
  async function burst(world: World, sha: string): Promise<void> {
    for (const name of names) await world.host.check({ name, of: sha, conclusion: null });
    for (const name of names)
      await world.host.check({
        name,
        of: sha,
        conclusion: name === "lint" || name === "unit" ? "failure" : "success",
      });
    for (const name of ["suite one", "suite two"])
      for (const conclusion of [null, "success"])
        await world.host.check({ name, of: sha, conclusion, kind: "check_suite" });
    for (const conclusion of [null, "failure"])
      await world.host.check({ name: "workflow", of: sha, conclusion, kind: "workflow_run" });
    await world.host.check({ name: "coverage", of: sha, conclusion: "error", kind: "status" });
    await world.host.check({ name: "preview", of: sha, conclusion: "success", kind: "status" });
  }

  const patient =
    (quietSeconds: number) =>
    (parts: RuntimeParts): RuntimeParts => ({
      ...parts,
      settings: () => {
        const settings = parts.settings();
        return {
          ...settings,
          dispatch: {
            ...settings.dispatch,
            coalesce: {
              ...settings.dispatch.coalesce,
              quietSeconds,
              maxSeconds: quietSeconds * 10,
            },
          },
        };
      },
    });

  async function turnsOfBurst(quietSeconds: number): Promise<readonly number[]> {
    const world = await createWorld();
    const { service, push } = await atWork(world, { decorate: patient(quietSeconds) });
    const sha = await push("a");
    await world.host.idle();
    const before = world.host.deliveries().length;
    await burst(world, sha);
    await world.host.idle();
    expect(world.host.deliveries().length - before).toBe(20);
    await until(
      async () =>
        (await service.parts.store.stats()).undecided === 0 &&
        (await service.turns()).length > 1 &&
        (await service.turns()).every(({ state }) => state === "done"),
      "the end of all turns",
    );
    return (await service.turns()).slice(1).map(({ inputs }) => inputs.length);
  }

  test("twenty become one turn, which tells each failure", { timeout: 120_000 }, async () => {
    expect(await turnsOfBurst(2)).toEqual([4]);
  });

  test(
    "where nobody waits for quiet, they become more than one",
    { timeout: 120_000 },
    async () => {
      const turns = await turnsOfBurst(0);
      expect(turns.length).toBeGreaterThan(1);
      expect(turns.reduce((sum, each) => sum + each, 0)).toBe(4);
    },
  );
});
