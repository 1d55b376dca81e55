import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ancestorsOf, isAlive } from "../../src/processes/process-identity.ts";
import { requestsDir } from "../../src/turn-folder/requests.ts";
import { waitsForItsChild } from "../support/child-that-lives.ts";
import { startDaemon } from "../support/daemon.ts";
import { allDone, listedTurns } from "../support/turns.ts";
import { until } from "../support/until.ts";
import { createWorld } from "../support/world.ts";

describe("X05 the daemon is killed while the harness runs", () => {
  test(
    "the next one waits for the child that lives; there is never a second one",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const go = join(world.scene.dir, "go");
      const first = await startDaemon(world);
      world.startIssue(`{{fixture:wait ${go}}}`);
      const child = await until(
        async () =>
          world.prompts().length === 1
            ? ((await listedTurns(world))[0]?.attempt?.child ?? null)
            : null,
        "the child",
        first.log,
      );
      await first.end("SIGKILL");
      expect(isAlive(child)).toBe(true);

      await waitsForItsChild(world, child);
      expect(world.prompts()).toHaveLength(1);

      writeFileSync(go, "");
      await allDone(world, 2);
      expect(world.prompts()).toHaveLength(2);
    },
  );
});

describe("X05 the process that starts children is killed while the harness runs", () => {
  test(
    "the child goes on and is judged by what it wrote; the next turn has another broker",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const go = join(world.scene.dir, "go");
      const daemon = await startDaemon(world);
      const number = world.startIssue(`{{fixture:wait ${go}}}`);
      const child = await until(
        async () =>
          world.prompts().length === 1
            ? ((await listedTurns(world))[0]?.attempt?.child ?? null)
            : null,
        "the child",
        daemon.log,
      );
      const [broker, above] = ancestorsOf(child.pid);
      if (broker === undefined) throw new Error("the child has no parent");
      expect(above?.pid, "the daemon, above its broker").toBe(daemon.pid);
      process.kill(broker.pid, "SIGKILL");
      await until(() => Promise.resolve(!isAlive(broker)), "the end of the broker", daemon.log);
      expect(isAlive(child)).toBe(true);

      writeFileSync(go, "");
      await allDone(world, 1);
      world.host.comment(number, "Please look again. {{stub:text again}}", "ada");
      await allDone(world, 2);
      expect(world.prompts()).toHaveLength(2);
    },
  );
});

describe("S06 the daemon is killed after a start was accepted and before its spawn", () => {
  test("the session is spawned exactly once by the next one", { timeout: 60_000 }, async () => {
    const world = await createWorld();
    world.scene.configure(
      world.scene
        .text()
        .replace("quietSeconds: 0, maxSeconds: 0", "quietSeconds: 2, maxSeconds: 5"),
    );
    const first = await startDaemon(world);
    const number = world.startIssue();
    await until(
      async () =>
        (await world.scene.loop("why", world.ref(number))).out.includes("Reason: start-requested"),
      "the start",
      first.log,
    );
    await first.end("SIGKILL");
    expect(world.prompts()).toHaveLength(0);
    await startDaemon(world);
    await allDone(world, 1);
    expect(world.prompts()).toHaveLength(1);
  });
});

describe("D01 what a session asked for while no daemon ran", () => {
  test(
    "is carried out by the next one, though the session has ended",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const crashing = await startDaemon(world, { crashAt: "done.before" });
      const number = world.startIssue();
      expect(await crashing.end(null)).toBe("SIGKILL");
      const requests = requestsDir(join(world.stateRoot, "turns", "1"));
      mkdirSync(requests, { recursive: true });
      writeFileSync(
        join(requests, "late.request.json"),
        JSON.stringify({ kind: "comment", text: "The garden is watered." }),
      );
      await startDaemon(world);
      await allDone(world, 1);
      expect(world.host.thread(number)).toContain("The garden is watered.");
      expect(readdirSync(requests)).toContain("late.answer.json");
    },
  );
});

describe("D01 the daemon kills itself at", () => {
  test.each(["inject.begun", "inject.spawned", "inject.prompted", "done.before"])(
    "%s: nothing is lost and nothing is said twice",
    { timeout: 60_000 },
    async (step) => {
      const world = await createWorld();
      const crashing = await startDaemon(world, { crashAt: step });
      world.startIssue("{{stub:hang 400}}");
      expect(await crashing.end(null)).toBe("SIGKILL");
      await world.host.idle();
      world.host.aim(null);
      await startDaemon(world);
      for (const { id, attempts } of world.host.deliveries())
        if (attempts.every(({ status }) => status !== 202)) await world.host.redeliver(id);
      await allDone(world, 1);
      expect(world.prompts()).toHaveLength(1);
    },
  );
});

/** What a turn can do with its own folder: everything in it, and the requests, become pipes. */
function replaceByPipes(turnDir: string): void {
  const kinds = [".err.txt", ".out.jsonl", ".settings.json", ".sandbox.json"];
  const receipts = readdirSync(turnDir).flatMap(
    (name) => /^(.{36})\.out\.jsonl$/.exec(name)?.[1] ?? [],
  );
  const names = receipts.flatMap((receipt) => kinds.map((kind) => `${receipt}${kind}`));
  for (const name of [...names, "requests", "tools.jsonl", "reminders", "events.jsonl"]) {
    rmSync(join(turnDir, name), { recursive: true, force: true });
    execFileSync("mkfifo", [join(turnDir, name)]);
  }
}

describe.each(["while the daemon runs", "between two lives of the daemon"])(
  "a turn makes pipes of all that stands in its folder, %s",
  (when) => {
    test(
      "and the service goes on: it ends that turn and works on other items",
      { timeout: 90_000 },
      async () => {
        const world = await createWorld();
        const go = join(world.scene.dir, "go");
        const first = await startDaemon(world);
        world.startIssue(`{{fixture:wait ${go}}}`);
        await until(
          async () =>
            world.prompts().length === 1
              ? ((await listedTurns(world))[0]?.attempt?.child ?? null)
              : null,
          "the child",
          first.log,
        );
        if (when.startsWith("between")) await first.end("SIGKILL");
        const [turn = ""] = readdirSync(join(world.stateRoot, "turns"));
        replaceByPipes(join(world.stateRoot, "turns", turn));
        const daemon = when.startsWith("between") ? await startDaemon(world) : first;
        writeFileSync(go, "");
        world.startIssue("An issue that somebody else works on.");
        const settled = async (): Promise<true | null> => {
          const states = (await listedTurns(world)).map(({ state }) => state);
          return states.length === 2 &&
            states.includes("done") &&
            !states.includes("running") &&
            !states.includes("injecting")
            ? true
            : null;
        };
        await until(
          settled,
          "the end of both turns",
          async () => `${JSON.stringify(await listedTurns(world))}\n${daemon.log()}`,
        );
        expect(lstatSync(join(world.stateRoot, "turns", turn, "tools.jsonl")).isFIFO()).toBe(true);
      },
    );
  },
);
