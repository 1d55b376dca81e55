import { describe, expect, test } from "vitest";
import { until } from "../support/until.ts";
import { createWorld, type Service, type World } from "../support/world.ts";

const asked = async (service: Service, world: World, number: number): Promise<string | null> =>
  (await service.parts.store.items.load(world.ref(number))).sessions[0]?.asked?.text ?? null;
const posted = (world: World, number: number): readonly string[] =>
  world.host
    .issue(number)
    .comments.filter(({ author }) => author.login === "loop-agent")
    .map(({ body }) => body);
const done = (service: Service, count: number): Promise<true> =>
  until(
    async () => (await service.events("turn.done")).length === count,
    `${count} turns`,
    () => service.said.join("\n"),
  );

describe("routing.interaction.mode: cli", () => {
  test(
    "a question is shown to the operator and not posted; `sessions say` answers it without the host",
    { timeout: 90_000 },
    async () => {
      const world = await createWorld({ routing: "  interaction: { mode: cli }" });
      const service = await world.start();
      const number = world.startIssue("{{stub:bash loop ask How often?}} {{stub:text asked}}");
      const ref = world.ref(number);
      await done(service, 1);
      expect(world.prompts()[0]?.text).toContain("the operator answers on the command line");
      expect(posted(world, number)).toEqual([]);
      expect(await asked(service, world, number)).toBe("How often?");
      expect(await service.events("session.asked")).toHaveLength(1);
      const status = await world.scene.loop("status");
      expect(status.out).toContain(`${ref}  asked: How often?`);
      expect(status.out).toContain(`→ \`loop sessions say ${ref} <answer>\``);
      expect((await world.scene.loop("sessions", "show", ref)).out).toContain("How often?");

      const said = await world.scene.loop("sessions", "say", ref, "Daily,", "but not in rain.");
      expect(said, said.err).toMatchObject({
        code: 0,
        out: `${ref}: The session is told in its next turn.\n`,
      });
      await done(service, 2);
      expect(world.prompts()[1]?.text).toContain('"text": "Daily, but not in rain."');
      expect(await asked(service, world, number)).toBeNull();
      expect((await world.scene.loop("status")).out).not.toContain("How often?");
      expect(posted(world, number)).toEqual([]);
    },
  );
});

describe("routing.interaction.mode: work-item", () => {
  test(
    "a question is posted, the answer awaited, and a comment gives it",
    { timeout: 90_000 },
    async () => {
      const world = await createWorld();
      const service = await world.start();
      const number = world.startIssue("{{stub:bash loop ask How often?}} {{stub:text asked}}");
      await done(service, 1);
      expect(world.prompts()[0]?.text).toContain(`people read the thread of ${world.ref(number)}`);
      expect(posted(world, number).map((body) => body.split("\n")[0])).toEqual(["How often?"]);
      await service.event("delivery.decided", ({ reason }) => reason === "own-comment");
      expect(await asked(service, world, number)).toBe("How often?");
      expect((await world.scene.loop("status")).out).toContain(
        `answer on the thread of ${world.ref(number)}`,
      );
      world.host.comment(number, "Daily.", "ada");
      await done(service, 2);
      expect(await asked(service, world, number)).toBeNull();
    },
  );

  test(
    "a question that nobody can be told is taken back, and the agent hears why",
    { timeout: 60_000 },
    async () => {
      const { CodeHostError } = await import("@loopwork/core/ports");
      const world = await createWorld();
      const service = await world.start((parts) => ({
        ...parts,
        host: {
          ...parts.host,
          comment: () => Promise.reject(new CodeHostError("LOOP_E_HOST_REFUSED", "no")),
        },
      }));
      const number = world.startIssue("{{stub:bash loop ask How often?}} {{stub:text asked}}");
      await done(service, 1);
      expect(await asked(service, world, number)).toBeNull();
    },
  );

  test(
    "an unrecognised mode is warned about and behaves like work-item, never like cli",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld({ routing: "  interaction: { mode: terminal }" });
      const validated = await world.scene.loop("config", "validate");
      expect(validated).toMatchObject({ code: 0 });
      expect(validated.out).toContain("LOOP_W_CONFIG_VALUE");
      const service = await world.start();
      const number = world.startIssue("{{stub:bash loop ask How often?}} {{stub:text asked}}");
      await done(service, 1);
      expect(world.prompts()[0]?.text).toContain("people read the thread");
      expect(posted(world, number)).toHaveLength(1);
    },
  );
});

describe("loop sessions say", () => {
  test(
    "waits in order behind what came before, also on a paused item, and reads standard input",
    { timeout: 90_000 },
    async () => {
      const world = await createWorld();
      const service = await world.start();
      const number = world.startIssue("{{stub:text done}}");
      await done(service, 1);
      await world.scene.loop("sessions", "pause", world.ref(number));
      world.host.comment(number, "word one", "ada");
      await service.event("delivery.decided", ({ reason }) => reason === "input-of-authorized");
      world.scene.stdin("word two\n");
      expect(await world.scene.loop("sessions", "say", world.ref(number), "-")).toMatchObject({
        code: 0,
      });
      expect(world.prompts()).toHaveLength(1);
      await world.scene.loop("sessions", "resume", world.ref(number));
      await until(
        () =>
          world
            .prompts()
            .map(({ text }) => text)
            .join("")
            .includes("word two"),
        "the words",
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

  test(
    "to an item that nobody started it says so, exit 1; nothing to say, too long, and an agent are errors",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      await world.start();
      const { number } = world.host.openIssue({
        title: "Plain",
        body: "",
        labels: ["loop: auto-execute"],
        by: "ada",
      });
      const early = await world.scene.loop("sessions", "say", world.ref(number), "hello");
      expect(early, early.err).toMatchObject({ code: 1 });
      expect(early.out).toContain("→");
      expect((await world.scene.loop("sessions", "say", world.ref(number), "-")).err).toContain(
        "LOOP_E_EMPTY_COMMENT",
      );
      expect(
        (await world.scene.loop("sessions", "say", world.ref(number), "x".repeat(65_537))).err,
      ).toContain("LOOP_E_USAGE");
      world.scene.env["LOOP_TURN"] = "1";
      expect((await world.scene.loop("sessions", "say", world.ref(number), "hello")).err).toContain(
        "LOOP_E_INSIDE_TURN",
      );
    },
  );
});
