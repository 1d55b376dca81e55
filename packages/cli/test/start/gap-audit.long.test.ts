import { createHostSetup } from "@loopwork/codehost";
import { secretOf } from "@loopwork/core/testing";
import { describe, expect, test } from "vitest";
import { auditSettings } from "../../src/start/gap-audit.ts";
import { startDaemon } from "../support/daemon.ts";
import { until } from "../support/until.ts";
import { createWorld, type World } from "../support/world.ts";

/** A world whose host has a webhook to the daemon, made as `loop init` makes it. */
async function worldWithWebhook(): Promise<World> {
  const world = await createWorld();
  const setup = createHostSetup({
    host: new URL(world.host.url).host,
    apiBaseUrl: world.host.apiUrl,
    token: "practice-agent",
  });
  await setup.ensureWebhook(
    { host: null, owner: "practice", repo: "garden" },
    {
      url: world.webhookUrl,
      secret: secretOf("practice-secret"),
      events: ["issues", "issue_comment"],
    },
  );
  return world;
}

async function line(world: World, ...argv: string[]): Promise<string> {
  const { out, err } = await world.scene.loop(...argv);
  return `${out}${err}`;
}

const noWebhooks = { fits: (path: string) => path.includes("/hooks"), status: 403 };
/** Words of people that reached a conversation, in order. */
const heard = (world: World): readonly string[] =>
  world.prompts().flatMap(({ text }) => [...text.matchAll(/(?<=say )\w+/g)].map(([word]) => word));
const decided = async (world: World): Promise<readonly string[]> =>
  [
    ...(await line(world, "events", "--type", "delivery.decided", "--json")).matchAll(
      /"reason": ?"([a-z-]+)"/g,
    ),
  ].map(([, reason]) => reason ?? "");
const recovered = async (world: World): Promise<number> =>
  [
    ...(await line(world, "events", "--type", "delivery.recovered", "--json")).matchAll(
      /"delivery\.recovered"/g,
    ),
  ].length;

describe("deliveries that were lost while the receiver was down", () => {
  test(
    "are found at the next start and act exactly once, in their order, also when the host sends them again",
    { timeout: 120_000 },
    async () => {
      const world = await worldWithWebhook();
      const first = await startDaemon(world);
      const number = world.startIssue("say hello");
      await until(
        () => heard(world).length === 1,
        "the first prompt",
        () => first.log(),
      );
      await first.end("SIGKILL");
      world.host.comment(number, "say roses", "ada");
      world.host.comment(number, "say tulips", "ada");
      world.host.comment(number, "say nothing of mine", "mallory");
      await world.host.idle();
      expect(
        world.host
          .deliveries()
          .slice(-3)
          .map(({ attempts }) => attempts.map(({ status }) => status)),
      ).toEqual([[null], [null], [null]]);

      // Without permission to read the webhook nothing is found: what follows is the audit's doing.
      world.host.traffic.break(noWebhooks);
      const blind = await startDaemon(world);
      await until(
        async () =>
          (await line(world, "events", "--type", "audit.failed")).includes("LOOP_E_HOST_FORBIDDEN"),
        "the audit's failure",
        () => blind.log(),
      );
      expect(await line(world, "status")).toContain("Check failed");
      expect(await line(world, "doctor")).toContain("read the repository's webhooks");
      expect(heard(world)).toEqual(["hello"]);
      await blind.end("SIGTERM");

      world.host.traffic.break(null);
      const second = await startDaemon(world);
      await until(
        () => heard(world).length >= 3,
        "the lost words",
        () => second.log(),
      );
      expect(heard(world)).toEqual(["hello", "roses", "tulips"]);
      await until(async () => (await recovered(world)) === 3, "a line for each");
      expect(await line(world, "status")).toContain("3 missing, all recovered");
      for (const { id } of world.host.deliveries()) await world.host.redeliver(id);
      world.host.comment(number, "say last", "ada");
      await until(
        () => heard(world).includes("last"),
        "a word that came by itself",
        () => second.log(),
      );
      expect(heard(world)).toEqual(["hello", "roses", "tulips", "last"]);
      await second.end("SIGTERM");
    },
  );

  test.each(["in a comment", "on the command line"] as const)(
    "R19: a start and a grant that come late do not undo the stop and the revocation that were asked for after them %s",
    { timeout: 90_000 },
    async (where) => {
      const world = await worldWithWebhook();
      // Where every repository is taken, those are looked at of which something is on record.
      world.scene.configure(world.scene.text().replace("  repositories: [practice/garden]\n", ""));
      const { number } = world.host.openIssue({
        title: "Water",
        body: "say hello",
        labels: ["loop: auto-execute"],
        by: "ada",
      });
      const early = world.host.comment(number, "loop start", "ada");
      world.host.comment(number, "loop add-collaborator @bob", "ada");
      await world.host.idle();
      await until(() => Date.now() > Date.parse(early.createdAt) + 1_000, "another second");
      world.host.traffic.break(noWebhooks);
      const first = await startDaemon(world);
      if (where === "in a comment") {
        world.host.comment(number, "loop remove-collaborator @bob", "ada");
        world.host.comment(number, "loop stop", "ada");
      } else {
        expect(
          await line(world, "remove-collaborator", "@bob", "--work-item", world.ref(number)),
        ).toContain("An earlier grant that arrives late won't count");
        expect(await line(world, "sessions", "stop", world.ref(number))).toContain(
          "The turn and the session end",
        );
      }
      // Both, in whatever order they travel: what the daemon had not taken when it ends would be
      // late itself.
      const both = async (reasons = decided(world)): Promise<boolean> =>
        (await reasons).includes("not-a-collaborator") &&
        (await reasons).includes("stop-requested");
      await until(
        () => both(),
        "the revocation and the stop",
        () => first.log(),
      );
      await first.end("SIGTERM");
      world.host.traffic.break(null);
      const second = await startDaemon(world);
      const reason = where === "in a comment" ? "older-than-known" : "older-than-command-line";
      // Four of ada's; and what the host told of our own answer, where that came while the daemon
      // was ending.
      await until(
        async () => (await recovered(world)) >= 4,
        "a line for each",
        () => second.log(),
      );
      await until(
        async () => (await decided(world)).filter((each) => each === reason).length === 2,
        "the late start and the late grant",
        () => second.log(),
      );
      expect(heard(world)).toEqual([]);
      const why = await line(world, "why", world.ref(number));
      expect(why).toContain("A newer command arrived at");
      expect(why).toContain("Access of @bob was revoked at");
      expect(await line(world, "sessions", "show", world.ref(number))).not.toContain(
        "collaborator",
      );
      await second.end("SIGTERM");
    },
  );
});

test(
  "a changed file is taken up by the next audit as far as it is in force: its repositories, and not the path and events of a receiver that runs with others",
  { timeout: 30_000 },
  async () => {
    const world = await createWorld();
    const { parts } = await world.start();
    expect(await auditSettings(parts)).toMatchObject({
      repositories: ["practice/garden"],
      path: "/host-webhook",
    });
    const text = world.scene
      .text()
      .replace(
        "hostWebhook: { enabled: true,",
        "hostWebhook: { enabled: true, path: /elsewhere, events: [issues],",
      )
      .replace(
        "repositories: [practice/garden]",
        "repositories: [practice/garden, practice/orchard]",
      );
    world.scene.configure(text);
    expect(await auditSettings(parts)).toEqual({
      repositories: ["practice/garden", "practice/orchard"],
      path: "/host-webhook",
      events: expect.arrayContaining(["issues", "status"]),
    });
  },
);

test(
  "R20: sent again after days, with its body forgotten here, or under another id, a start that was taken starts nothing",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    const service = await world.start();
    const number = world.startIssue("say hello");
    await until(() => heard(world).length === 1, "the first prompt");
    world.host.comment(number, "loop stop", "ada");
    await service.event("delivery.decided", ({ reason }) => reason === "stop-requested");
    await until(async () => (await service.parts.store.stats()).undecided === 0, "every decision");
    await service.parts.store.log.forgetBodies(Date.now() + 1_000);
    const start = world.host.deliveries().find(({ body }) => body.includes('"loop start"'));
    const stored = (await service.parts.store.log.list({ limit: 100 })).length;
    expect(await world.host.redeliver(start?.id ?? "")).toBe(202);
    expect((await service.parts.store.log.list({ limit: 100 })).length).toBe(stored);
    const body = Buffer.from(JSON.stringify({ ...start?.payload, sent: "another way" }));
    await service.parts.store.append({
      id: "another-id",
      source: "webhook",
      event: "issue_comment",
      verified: true,
      receivedAt: Date.now(),
      digest: "another",
      body,
      ignored: null,
    });
    service.dispatcher.poke();
    expect(
      await service.event("delivery.decided", ({ delivery }) => delivery === "another-id"),
    ).toMatchObject({ reason: "seen-before" });
    expect(heard(world)).toEqual(["hello"]);
  },
);
