import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { until } from "../support/until.ts";
import { createWorld, type Service, type World } from "../support/world.ts";

const loginsOf = async (
  service: Service,
  world: World,
  number: number,
): Promise<readonly string[]> =>
  (await service.parts.store.items.load(world.ref(number))).collaborators.map(({ login }) => login);

describe("P06 loop add-collaborator and remove-collaborator", () => {
  test(
    "one login may speak on one item, and no longer; its words are input and never a command",
    { timeout: 90_000 },
    async () => {
      const world = await createWorld();
      const service = await world.start();
      const number = world.startIssue("{{stub:text done}}");
      await service.event("turn.done");
      const added = await world.scene.loop(
        "add-collaborator",
        "@grace",
        "--work-item",
        world.ref(number),
      );
      expect(added, added.err).toMatchObject({ code: 0 });
      expect(added.out).toContain("can comment to this item's session until the item closes");
      expect(await loginsOf(service, world, number)).toEqual(["grace"]);
      expect(
        world.host
          .issue(number)
          .comments.map(({ body }) => body)
          .join(),
      ).toContain("`loop add-collaborator @grace`");

      world.host.comment(number, "Mind the roses.", "grace");
      await until(() => world.prompts().length === 2, "grace's words");
      world.host.comment(number, "loop stop", "grace");
      await service.event(
        "delivery.decided",
        ({ reason }) => reason === "collaborator-may-not-steer",
      );

      expect(
        (
          await world.scene.loop("remove-collaborator", world.ref(number), "Grace", "--json")
        ).json(),
      ).toMatchObject({ state: "done", reason: "collaborator-revoked" });
      expect(await loginsOf(service, world, number)).toEqual([]);
      const again = await world.scene.loop("remove-collaborator", world.ref(number), "grace");
      expect(again).toMatchObject({ code: 1 });
      expect(again.out).toContain("the login isn't a collaborator on this item");
      const issuer = await world.scene.loop(
        "add-collaborator",
        "@ada",
        "--work-item",
        world.ref(number),
      );
      expect(issuer, issuer.out).toMatchObject({ code: 1 });
      world.host.comment(number, "And the tulips.", "grace");
      await service.event("delivery.decided", ({ reason }) => reason === "stranger-dropped");
      expect(world.prompts()).toHaveLength(2);
    },
  );

  test.each([
    ["@practice/gardeners"],
    ["@-x"],
    ["@gräce"],
    ["@dependabot[bot]"],
    ["@a", "@b"],
    [""],
  ])("%s %s is no one login", async (...logins) => {
    const world = await createWorld();
    const ran = await world.scene.loop("add-collaborator", ...logins, "--work-item", world.ref(1));
    expect(ran).toMatchObject({ code: 2 });
    expect(ran.err).toContain("LOOP_E_LOGIN");
  });

  test.each([
    { LOOP_SESSION: "s" },
    { LOOP_JUDGE: "1" },
    { CLAUDECODE: "1" },
    { CURSOR_AGENT: "1" },
  ])("P07 an agent may not grant: %o", async (env) => {
    const world = await createWorld();
    Object.assign(world.scene.env, env);
    expect(
      (await world.scene.loop("add-collaborator", "@grace", "--work-item", world.ref(1))).err,
    ).toContain("LOOP_E_INSIDE_TURN");
    expect(
      (await world.scene.loop("remove-collaborator", "@grace", "--work-item", world.ref(1))).err,
    ).toContain("LOOP_E_INSIDE_TURN");
  });

  test(
    "without --work-item the variable, the session's checkout, or a branch issue-<n> says which item is meant",
    { timeout: 60_000 },
    async () => {
      const world = await createWorld();
      const { scene } = world;
      delete scene.env["LOOP_HOST_TOKEN"]; // So that nobody asks whether the host has these items.
      const target = async (): Promise<unknown> =>
        Object(JSON.parse((await scene.loop("add-collaborator", "@grace", "--json")).out)).workItem;
      expect((await scene.loop("add-collaborator", "@grace")).err).toContain("No work item given");
      execFileSync("git", ["init", "-q", "-b", "issue-12", scene.cwd]);
      execFileSync("git", [
        "-C",
        scene.cwd,
        "remote",
        "add",
        "origin",
        `${new URL(world.host.url).origin}/practice/garden.git`,
      ]);
      expect(await target()).toBe("host:practice/garden#12");
      await scene.loop(
        "sessions",
        "register",
        "--work-item",
        world.ref(13),
        "--harness-session-id",
        "5f6c2c39-6d5c-4f0a-9d0e-1b0a8f3f7c11",
      );
      expect(await target()).toBe("host:practice/garden#13");
      scene.env["LOOP_WORK_ITEM"] = world.ref(14);
      expect(await target()).toBe("host:practice/garden#14");
    },
  );
});
