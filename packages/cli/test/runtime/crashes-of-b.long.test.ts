import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isAlive } from "../../src/processes/process-identity.ts";
import { type Daemon, startDaemon } from "../support/daemon.ts";
import { type Child, waitsForItsChild } from "../support/child-that-lives.ts";
import { allDone, listedTurns, outputLines } from "../support/turns.ts";
import { until } from "../support/until.ts";
import type { World } from "../support/world.ts";
import { chatsOfB, createWorldOfB } from "../support/world-of-b.ts";

/** Messages of ours that a child of harness B has read; it prints each before it works on it. */
const read = (world: World): number =>
  outputLines(world, (line) => line.includes('"type":"user"') && line.includes("Work item:"))
    .length;
const answered = (world: World): readonly string[] => Object.values(chatsOfB(world)).flat();
const hold = async (world: World): Promise<string> => (await world.scene.loop("status")).out;

/**
 * A daemon that is killed while its child, which waits for the file, works on the first message.
 */
async function killedInTheMidst(world: World, waitsFor: string): Promise<Child> {
  const first: Daemon = await startDaemon(world);
  world.startIssue(`{{fixture:wait ${waitsFor}}} {{stub:text watered}}`);
  const child = await until(
    async () =>
      read(world) === 1 ? ((await listedTurns(world))[0]?.attempt?.child ?? null) : null,
    "the child",
    first.log,
  );
  await first.end("SIGKILL");
  expect(isAlive(child)).toBe(true);
  return child;
}

describe("X05 the daemon is killed while harness B runs", () => {
  test("the next one waits for the child that lives; there is never a second one, and its answer counts", async () => {
    const world = await createWorldOfB();
    const go = join(world.scene.dir, "go");
    const child = await killedInTheMidst(world, go);
    await waitsForItsChild(world, child);
    expect(read(world)).toBe(1);

    writeFileSync(go, "");
    await allDone(world, 2);
    expect(read(world)).toBe(2);
    expect(answered(world)).toHaveLength(2);
    expect(Object.keys(chatsOfB(world))).toHaveLength(1);
  });

  test("killed with its child, nothing shows what was done: a person decides, and nothing is said again before", async () => {
    const world = await createWorldOfB();
    const go = join(world.scene.dir, "go");
    const child = await killedInTheMidst(world, go);
    process.kill(-child.pid, "SIGKILL");
    await until(() => !isAlive(child), "the child is gone");
    await startDaemon(world);
    await until(async () => (await listedTurns(world))[0]?.state === "uncertain", "the verdict");
    world.host.comment(1, "And the roses, please.", "ada");
    await until(async () => (await listedTurns(world)).length === 2, "the comment waits");
    expect(await hold(world)).toContain("turns retry");
    expect(read(world)).toBe(1);

    writeFileSync(go, "");
    expect((await world.scene.loop("turns", "retry", "1")).code).toBe(0);
    await allDone(world, 2);
    expect(answered(world)).toHaveLength(2);
    expect(answered(world)[0]).toContain("You were interrupted");
  });
});

describe("D01 with harness B the daemon kills itself at", () => {
  test.each([
    ["inject.begun", "uncertain", 0],
    ["inject.spawned", "uncertain", 0],
    ["inject.prompted", "done", 1],
    ["done.before", "done", 1],
  ] as const)("%s: the turn is %s, and never said twice", async (step, state, times) => {
    const world = await createWorldOfB();
    const crashing = await startDaemon(world, { crashAt: step });
    world.startIssue("{{stub:hang 400}}");
    expect(await crashing.end(null)).toBe("SIGKILL");
    await world.host.idle();
    world.host.aim(null);
    await startDaemon(world);
    for (const { id, attempts } of world.host.deliveries())
      if (attempts.every(({ status }) => status !== 202)) await world.host.redeliver(id);
    await until(
      async () => (await listedTurns(world))[0]?.state === state,
      state,
      async () =>
        `${JSON.stringify(await listedTurns(world))}\n${(await world.scene.loop("events")).out}`,
    );
    expect([read(world), (await listedTurns(world)).length]).toEqual([times, 1]);
  });
});
