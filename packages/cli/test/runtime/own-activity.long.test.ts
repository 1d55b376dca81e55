import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { until } from "../support/until.ts";
import { createWorld, type Service, type World } from "../support/world.ts";

const doneTurns = async (service: Service): Promise<number> =>
  (await service.turns()).filter(({ state }) => state === "done").length;

/** A session of issue 1 that has pushed a branch from its checkout under ada's login. */
async function pushed(
  world: World,
  service: Service,
): Promise<{ readonly number: number; readonly workdir: string }> {
  const number = world.startIssue();
  await until(async () => (await doneTurns(service)) === 1, "the first turn");
  const workdir = String((await service.event("checkout.prepared")).fields["workdir"]);
  const git = (...args: string[]): string =>
    execFileSync("git", args, {
      cwd: workdir,
      encoding: "utf8",
      env: { ...process.env, HOME: world.scene.home },
    });
  writeFileSync(join(workdir, "water.md"), "Every morning.\n");
  git("checkout", "-q", "-b", `issue-${number}`);
  git("add", "-A");
  git("commit", "-q", "-m", "Say how often");
  execFileSync("git", ["push", "-q", world.host.directory, `issue-${number}`], {
    cwd: workdir,
    env: { ...process.env, HOME: world.scene.home },
  });
  return { number, workdir };
}

async function whyOf(
  service: Service,
  event: string,
  action: string,
): Promise<{ readonly delivery: string; readonly reason: string | null }> {
  const found = await service.event(
    "delivery.decided",
    ({ fields }) => fields["event"] === event && fields["action"] === action,
  );
  return { delivery: found.delivery ?? "", reason: found.reason };
}

test(
  "a session's own pull request and push wake nothing, whoever's login it used, and why says so",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    const service = await world.start();
    const { number } = await pushed(world, service);
    await world.host.openPull({
      title: "Water",
      body: `Closes #${number}`,
      head: `issue-${number}`,
      by: "ada",
    });
    const opened = await whyOf(service, "pull_request", "opened");
    expect(opened.reason).toBe("own-activity");
    expect((await world.scene.loop("why", opened.delivery)).out).toContain("Reason: own-activity");
    expect(await service.turns()).toHaveLength(1);

    await world.host.commit({
      branch: `issue-${number}`,
      message: "more",
      files: { "b.md": "b\n" },
      by: "ada",
    });
    expect((await whyOf(service, "pull_request", "synchronize")).reason).toBe(
      "activity-of-session",
    );
  },
);

test(
  "what the token's own login does to an item at work is the session's doing",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    const service = await world.start();
    const { number } = await pushed(world, service);
    world.host.label(number, "in progress", "loop-agent");
    world.host.editIssue(number, { title: "Water the garden daily" }, "loop-agent");
    expect((await whyOf(service, "issues", "edited")).reason).toBe("own-activity");
    await sleep(1_100); // The host's clock counts seconds, and two edits within one are one happening.
    world.host.editIssue(number, { title: "Water the garden twice" }, "mallory");
    await until(
      async () =>
        (await service.events("delivery.decided")).some(
          ({ reason }) => reason === "stranger-dropped",
        ),
      "the stranger's edit",
    );
  },
);

test(
  "with ownActivity: wake the session's own push is told like any other",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld({ routing: "  ownActivity: wake" });
    const service = await world.start();
    const { number } = await pushed(world, service);
    await world.host.openPull({
      title: "Water",
      body: `Closes #${number}`,
      head: `issue-${number}`,
      by: "ada",
    });
    expect((await whyOf(service, "pull_request", "opened")).reason).toBe("activity-of-session");
  },
);
