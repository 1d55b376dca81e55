import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CodeHostError } from "@loopwork/core/ports";
import { describe, expect, test } from "vitest";
import { startDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";
import { createWorld, type Service, type World } from "../support/world.ts";

const statusOf = async (
  service: Service,
  world: World,
  number: number,
): Promise<string | undefined> =>
  (await service.parts.store.items.load(world.ref(number))).workItem?.control.status;
const armed = (world: World, body: string): number =>
  world.host.openIssue({
    title: "Water the garden",
    body,
    labels: ["loop: auto-execute"],
    by: "ada",
  }).number;
const posted = (world: World, number: number): readonly string[] =>
  world.host.issue(number).comments.map(({ body }) => body);

/** Waits until the host's webhook of our own comment was decided, and everything else. */
async function echoed(service: Service): Promise<void> {
  await service.event("delivery.decided", ({ reason }) => reason === "own-comment");
}

describe("loop sessions start, pause, resume, stop, cleanup", () => {
  test(
    "S05 each acts once, the ticket shows the keyword in the service's own voice, and that echo does nothing",
    { timeout: 90_000 },
    async () => {
      const world = await createWorld();
      const service = await world.start();
      const number = armed(world, "{{stub:text done}}");
      const ref = world.ref(number);
      await service.event("delivery.decided", ({ reason }) => reason === "armed");

      const started = await world.scene.loop("sessions", "start", "--work-item", ref);
      expect(started, started.err).toMatchObject({ code: 0 });
      expect(started.out).toContain("A start was requested");
      await service.event("turn.done");
      expect(world.prompts()).toHaveLength(1);

      for (const [verb, status] of [
        ["pause", "paused"],
        ["resume", "started"],
        ["stop", "stopped"],
        ["cleanup", "stopped"],
      ] as const) {
        const ran = await world.scene.loop("sessions", verb, ref, "--json");
        expect(ran, ran.err + ran.out).toMatchObject({ code: 0 });
        expect(ran.json()).toMatchObject({
          workItem: ref,
          state: "done",
          reason: `${verb}-requested`,
          dispatching: true,
          echo: { state: "posted" },
        });
        expect(await statusOf(service, world, number)).toBe(status);
      }
      expect(posted(world, number).map((body) => /`([^`]*)`/.exec(body)?.[1])).toEqual([
        "loop start",
        "loop pause",
        "loop resume",
        "loop stop",
        "loop cleanup",
      ]);
      await until(
        async () =>
          (await service.events("delivery.decided")).filter(
            ({ reason }) => reason === "own-comment",
          ).length === 5,
        "the echoes",
      );
      expect(await service.turns()).toHaveLength(1);
      expect((await service.parts.store.items.load(ref)).workItem?.control).toMatchObject({
        source: "cli",
        requestedBy: "operator",
      });
    },
  );

  test(
    "a refused one says why and what to do, exit 1, and posts nothing",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const service = await world.start();
      const { number } = world.host.openIssue({ title: "Plain", body: "", labels: [], by: "ada" });
      await service.event("delivery.decided");
      const ran = await world.scene.loop("sessions", "resume", world.ref(number));
      expect(ran).toMatchObject({ code: 1 });
      expect(ran.out).toContain("The item isn't started.");
      expect(ran.out).toContain("→ Type `loop start`");
      expect((await world.scene.loop("sessions", "start", world.ref(number))).out).toContain(
        "doesn't have the label",
      );
      expect(posted(world, number)).toEqual([]);
    },
  );

  test(
    "what the host does not have is refused where nothing is known of it here, and nothing is stored; where the host cannot be asked it is stored",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const { number } = world.host.openIssue({ title: "Plain", body: "", labels: [], by: "ada" });
      for (const words of [
        ["pause", world.ref(99)],
        ["cleanup", world.ref(99)],
        ["link-pr", "--work-item", world.ref(number), "--pull-request", "77"],
        ["link-pr", "--work-item", world.ref(number), "--pull-request", String(number)],
      ]) {
        expect(await world.scene.loop("sessions", ...words), words.join(" ")).toMatchObject({
          code: 2,
          err: expect.stringMatching(/The code host has no .*LOOP_E_NO_ITEM\)\n→ Check the number/),
        });
      }
      expect((await world.scene.loop("status", "--json")).json()).toMatchObject({ undecided: 0 });
      expect(await world.scene.loop("sessions", "pause", world.ref(number))).toMatchObject({
        code: 0,
      });
      delete world.scene.env["LOOP_HOST_TOKEN"];
      expect(await world.scene.loop("sessions", "pause", world.ref(99))).toMatchObject({
        code: 0,
        out: expect.stringContaining("queued, but the service isn't running"),
      });
      expect(
        await world.scene.loop(
          "sessions",
          "link-pr",
          "--work-item",
          world.ref(number),
          "--pull-request",
          "77",
        ),
      ).toMatchObject({ code: 0 });
    },
  );

  test(
    "a start asks the host for an item that no event has shown: its label counts, and its words are the first message",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const { number } = world.host.openIssue({
        title: "Water the garden",
        body: "Mind the roses. {{stub:text done}}",
        labels: ["loop: auto-execute"],
        by: "ada",
      });
      const bare = world.host.openIssue({ title: "Plain", body: "", labels: [], by: "ada" }).number;
      const service = await world.start();
      expect(await service.parts.store.log.list({ limit: 9 })).toEqual([]);

      const started = await world.scene.loop("sessions", "start", world.ref(number));
      expect(started, started.out + started.err).toMatchObject({ code: 0 });
      await service.event("turn.done");
      expect(world.prompts()[0]?.text).toContain("Mind the roses.");
      expect(world.prompts()[0]?.text).toContain('"authority": "authorized"');
      expect((await service.parts.store.items.load(world.ref(number))).workItem).toMatchObject({
        title: "Water the garden",
        armed: true,
        open: true,
      });

      expect((await world.scene.loop("sessions", "start", world.ref(bare))).out).toContain(
        "doesn't have the label",
      );
      const missing = await world.scene.loop("sessions", "start", world.ref(99));
      expect(missing).toMatchObject({ code: 2 });
      expect(missing.err).toContain("LOOP_E_NO_ITEM");
    },
  );

  test(
    "S06 with no service it is stored, says so, and is taken up exactly once by the next one",
    { timeout: 90_000 },
    async () => {
      const world = await createWorld();
      const first = await world.start();
      const number = armed(world, "{{stub:text done}}");
      await first.event("delivery.decided", ({ reason }) => reason === "armed");
      await first.stop();

      const ran = await world.scene.loop("sessions", "start", world.ref(number));
      expect(ran, ran.err).toMatchObject({ code: 0 });
      expect(ran.out).toContain("queued, but the service isn't running");
      expect(ran.out).toContain("Run `loop start`");

      const service = await world.start();
      await service.event("turn.done");
      await echoed(service);
      expect(world.prompts()).toHaveLength(1);
      expect(posted(world, number).filter((body) => body.includes("loop start"))).toHaveLength(1);
    },
  );

  test(
    "S06 a daemon that is killed between the decision and the post makes up for the post alone, once",
    { timeout: 120_000 },
    async () => {
      const world = await createWorld();
      const number = armed(world, "{{stub:text done}}");
      const daemon = await startDaemon(world, { crashAt: "post.before-record" });
      world.host.label(number, "other", "ada");
      await sleep(1_000);
      const ran = await world.scene.loop("sessions", "pause", world.ref(number));
      expect(ran, ran.err).toMatchObject({ code: 0 });
      expect(await daemon.end(null)).toBe("SIGKILL");
      const service = await world.start();
      await service.event("host.posted");
      expect(posted(world, number)).toHaveLength(1);
      expect(await statusOf(service, world, number)).toBe("paused");
    },
  );

  test(
    "without a token, or a host that refuses, it is in force and the ticket's silence is told",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const service = await world.start((parts) => ({
        ...parts,
        host: {
          ...parts.host,
          comment: () =>
            Promise.reject(
              new CodeHostError("LOOP_E_HOST_NO_TOKEN", "there is no token in LOOP_HOST_TOKEN"),
            ),
        },
      }));
      const number = armed(world, "");
      await service.event("delivery.decided", ({ reason }) => reason === "armed");
      const ran = await world.scene.loop("sessions", "pause", world.ref(number));
      expect(ran, ran.err).toMatchObject({ code: 0 });
      expect(ran.out).toContain(
        "Not posted on the work item: there is no token in LOOP_HOST_TOKEN",
      );
      expect(await statusOf(service, world, number)).toBe("paused");
    },
  );

  test("what can never be routed is an error at once, and nothing is stored", async () => {
    const world = await createWorld();
    const service = await world.start();
    const elsewhere = await world.scene.loop("sessions", "stop", "host:other/garden#1");
    expect(elsewhere).toMatchObject({ code: 2 });
    expect(elsewhere.err).toContain("LOOP_E_NOT_ROUTED");
    expect((await world.scene.loop("sessions", "start", "host:other/garden#1")).err).toContain(
      "LOOP_E_NOT_ROUTED",
    );
    expect((await world.scene.loop("sessions", "stop", "garden#1")).err).toContain("LOOP_E_REF");
    expect((await world.scene.loop("sessions", "stop")).err).toContain("No work item given");
    expect(await service.parts.store.log.list({ limit: 10 })).toEqual([]);
  });

  test(
    "S10 an address keeps it for that instance; a start in scope addressed names this one by itself",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld({
        more: "instance: { name: alpha, scope: { mode: addressed } }",
      });
      const service = await world.start();
      const number = armed(world, "{{stub:text done}}");
      await service.event("delivery.decided", ({ reason }) => reason === "armed");
      const other = await world.scene.loop(
        "sessions",
        "start",
        world.ref(number),
        "--instance",
        "beta",
      );
      expect(other).toMatchObject({ code: 0, out: expect.stringContaining("beta") });
      expect(await statusOf(service, world, number)).not.toBe("started");
      const own = await world.scene.loop("sessions", "start", world.ref(number));
      expect(own, own.out + own.err).toMatchObject({ code: 0 });
      expect(posted(world, number).join()).toContain("`loop start instance:alpha`");
    },
  );
});

describe("S05 P07 an agent may not steer", () => {
  test.each([
    [
      "inside of a turn",
      {
        LOOP_TURN: "1",
        LOOP_TURN_DIR: "/nowhere",
        LOOP_WORK_ITEM: "host:practice/garden#1",
        LOOP_INSTANCE: "default",
        LOOP_SESSION: "s",
      },
    ],
    ["where only one variable is left", { LOOP_SESSION: "s" }],
  ])("%s", async (_where, env) => {
    const world = await createWorld();
    Object.assign(world.scene.env, env);
    for (const verb of ["start", "pause", "resume", "stop", "cleanup"]) {
      const ran = await world.scene.loop("sessions", verb, "host:practice/garden#1");
      expect(ran).toMatchObject({ code: 2 });
      expect(ran.err).toContain("LOOP_E_INSIDE_TURN");
    }
  });

  test(
    "a turn's child that clears its environment is known by its ancestors",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const service = await world.start();
      const asks = join(world.scene.dir, "asks.cjs");
      writeFileSync(
        asks,
        `const { PATH, HOME } = process.env;\nconst ran = require("node:child_process").spawnSync("loop", ["sessions", "stop", "host:practice/garden#1"], { env: { PATH, HOME, LOOP_CONFIG: ${JSON.stringify(world.scene.configFile)} }, encoding: "utf8" });\nrequire("node:fs").writeFileSync(__dirname + "/said", ran.stdout + ran.stderr);\n`,
      );
      const number = world.startIssue(`{{stub:bash node ${asks}}}`);
      await service.event("turn.done");
      expect(readFileSync(join(world.scene.dir, "said"), "utf8")).toContain("LOOP_E_INSIDE_TURN");
      expect(await statusOf(service, world, number)).toBe("started");
    },
  );

  test("a session that is on record here", async () => {
    const world = await createWorld();
    const id = "5f6c2c39-6d5c-4f0a-9d0e-1b0a8f3f7c11";
    await world.scene.loop(
      "sessions",
      "register",
      "--work-item",
      world.ref(1),
      "--harness-session-id",
      id,
    );
    world.scene.env["CLAUDE_CODE_SESSION_ID"] = id;
    expect((await world.scene.loop("sessions", "stop", world.ref(1))).err).toContain(
      "LOOP_E_INSIDE_TURN",
    );
    world.scene.env["CLAUDE_CODE_SESSION_ID"] = "5f6c2c39-6d5c-4f0a-9d0e-1b0a8f3f7c12";
    expect((await world.scene.loop("sessions", "stop", world.ref(1))).err).toBe("");
    world.scene.env["CLAUDE_CODE_SESSION_ID"] = id;
    for (const argv of [["start"], ["stop"], ["restart"], ["daemon", "service"], ["init", "--yes"]])
      expect((await world.scene.loop(...argv)).err, argv.join(" ")).toContain("LOOP_E_INSIDE_TURN");
    expect(
      (
        await world.scene.loop(
          "sessions",
          "register",
          "--work-item",
          world.ref(1),
          "--harness-session-id",
          id,
        )
      ).err,
    ).toBe("");
  });
});
