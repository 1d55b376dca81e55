import { expect, test } from "vitest";
import type { RuntimeParts } from "@loopwork/runtime";
import { until } from "../support/until.ts";
import { verbatimPost } from "@loopwork/core/ports";
import { createWorld, type Service, type World } from "../support/world.ts";

test(
  "S04: a renamed repository keeps its sessions, and what we say reaches it under its new name",
  { timeout: 60_000 },
  async () => {
    const { world, service, issue } = await startedWorld();
    world.host.rename("orchard");
    world.host.comment(issue, "And the roses, please.", "ada");
    await done(service, 2);

    expect(new Set(world.prompts().map(({ session }) => session)).size).toBe(1);
    expect(world.prompts()[1]?.text).toContain("practice/orchard");
    expect((await service.parts.store.items.list()).map((item) => item.workItem?.ref)).toEqual([
      world.ref(issue),
    ]);
    const line = await service.event("repository.renamed");
    expect(line.fields).toMatchObject({
      before: "practice/garden",
      name: "practice/orchard",
      knownAs: "practice/garden",
    });

    world.host.comment(issue, "loop pause", "ada");
    await until(
      () =>
        Promise.resolve(
          world.host
            .issue(issue)
            .comments.at(-1)
            ?.reactions.some(({ content }) => content === "hooray") === true,
        ),
      "the verdict on the thread",
      async () => service.said.join("\n"),
    );
  },
);

test(
  "S04: a new repository of the same name gets nothing of the former one",
  { timeout: 60_000 },
  async () => {
    const { world, service, issue } = await startedWorld();
    const fresh = await moveAside(world);
    const { number } = fresh.openIssue({
      title: "Another garden",
      body: "Hello",
      labels: ["loop: auto-execute"],
      by: "ada",
    });
    expect(number).toBe(issue);
    fresh.comment(number, "Please do this here.", "ada");
    const line = await service.event(
      "delivery.decided",
      ({ reason, fields }) => fields["event"] === "issue_comment" && reason !== "start-requested",
    );

    expect(line.workItem).toMatch(/^host:practice\/garden\.\d+#1$/);
    expect(line.reason).toBe("not-started");
    expect(await service.event("repository.recreated")).toBeTruthy();

    fresh.comment(number, "loop start", "ada");
    await done(service, 2);
    expect(new Set(world.prompts().map(({ session }) => session)).size).toBe(2);
    const [former] = await service.parts.store.lanes.turns({
      workItem: world.ref(issue),
      limit: 10,
    });
    expect(former?.inputs.length).toBe(1);
    // What is said to the former repository's item never reaches the newcomer's thread of the same
    // number.
    await expect(
      service.parts.host.comment(
        { host: null, owner: "practice", repo: "garden", number },
        verbatimPost("for the former one"),
      ),
    ).rejects.toThrow();
    expect(fresh.issue(number).comments.map(({ body }) => body)).not.toContain(
      "for the former one",
    );
  },
);

test("S04: names are remembered over a restart", { timeout: 60_000 }, async () => {
  const { world, service, issue } = await startedWorld();
  world.host.rename("orchard");
  world.host.comment(issue, "And the roses.", "ada");
  await done(service, 2);
  await service.stop();
  const again = await world.start();
  world.host.comment(issue, "And the beans.", "ada");
  await done(again, 3);
  expect((await again.events("repository.renamed")).length).toBe(1);
  expect(new Set(world.prompts().map(({ session }) => session)).size).toBe(1);
});

test(
  "S04 without the names: the newcomer's words reach the former repository's session",
  { timeout: 60_000 },
  async () => {
    const names: RuntimeParts["names"] = {
      knownAs: () => null,
      see: () => Promise.resolve(false),
      present: (ref) => ref,
      known: (ref) => ref,
    };
    const { world, service, issue } = await startedWorld((parts) => ({ ...parts, names }));
    const fresh = await moveAside(world);
    fresh.openIssue({ title: "Another garden", body: "Hello", by: "ada" });
    fresh.comment(issue, "Please do this here.", "ada");
    await done(service, 2);
    expect(new Set(world.prompts().map(({ session }) => session)).size).toBe(1);
  },
);

/** The first repository goes away under its name, and somebody makes another one of that name. */
async function moveAside(world: World): Promise<ReturnType<World["host"]["repository"]>> {
  world.host.rename("garden-of-before");
  const fresh = await world.host.addRepository({ owner: "practice", repo: "garden" });
  return fresh;
}

async function startedWorld(
  decorate?: (parts: RuntimeParts) => RuntimeParts,
): Promise<{ readonly world: World; readonly service: Service; readonly issue: number }> {
  const world = await createWorld();
  const service = await world.start(decorate);
  const issue = world.startIssue();
  await done(service, 1);
  return { world, service, issue };
}

function done(service: Service, turns: number): Promise<unknown> {
  return until(
    async () => (await service.turns()).filter(({ state }) => state === "done").length === turns,
    `${turns} turns`,
    async () =>
      [...service.said, ...(await service.events()).map((event) => JSON.stringify(event))].join(
        "\n",
      ),
    30_000,
  );
}

test(
  "S04: people find a renamed repository's items under its new name and its old one",
  { timeout: 60_000 },
  async () => {
    const { world, service, issue } = await startedWorld();
    world.host.rename("orchard");
    world.host.comment(issue, "And the roses.", "ada");
    await done(service, 2);
    await service.stop();
    for (const name of ["garden", "orchard"]) {
      const { out } = await world.scene.loop("why", `host:practice/${name}#${issue}`);
      expect(out).toContain("@ada");
    }
  },
);
