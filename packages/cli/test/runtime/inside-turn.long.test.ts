import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { carryOutRequest } from "../../../runtime/src/turn/carry-out-request.ts";
import type { TurnAnswer, TurnRequestBody } from "@loopwork/runtime";
import { until } from "../support/until.ts";
import { createWorld, type World } from "../support/world.ts";

const commentsOf = (world: World, number: number): readonly string[] =>
  world.host
    .issue(number)
    .comments.filter(({ author }) => author.login === "loop-agent")
    .map(({ body }) => body);

/** A pull request of the garden's, from a fork of the one who opens it unless `fork` is false. */
async function openPull({ host }: World, by: string, fork = true): Promise<number> {
  const other = fork ? await host.fork(by) : null;
  const branch = `patch-of-${by}`;
  await (other ?? host).commit({ branch, message: "Mine", files: { "a.txt": `by ${by}\n` }, by });
  const from = other === null ? {} : { headRepository: other.fullName };
  return (await host.openPull({ title: "Mine", head: branch, ...from, by })).number;
}

/** The ref of a pull request in a repository that the configuration lists. */
async function openListed({ host }: World): Promise<string> {
  const listed = await host.addRepository({ owner: "elsewhere", repo: "listed" });
  await listed.commit({ branch: "change", message: "Change", files: { "a.txt": "new\n" } });
  const { number } = await listed.openPull({ title: "Change", head: "change", by: "loop-agent" });
  return `host:elsewhere/listed#${number}`;
}

test(
  "inside of a turn comment, ask and link-pr reach the dispatcher through the real command line",
  { timeout: 90_000 },
  async () => {
    const world = await createWorld();
    const pull = await openPull(world, "loop-agent");
    const service = await world.start();
    const number = world.startIssue(
      `{{stub:bash loop comment I have begun}} {{stub:bash loop ask How often?}} {{stub:bash loop sessions link-pr --pull-request ${pull}}} {{stub:bash loop sessions close}}`,
    );
    await service.event("turn.done");
    const comments = commentsOf(world, number);
    expect(comments.map((body) => body.split("\n")[0])).toEqual(
      expect.arrayContaining(["I have begun", "How often?"]),
    );
    expect(
      (await service.parts.store.items.load(world.ref(number))).pullRequests.map(
        ({ pullRequest }) => pullRequest,
      ),
    ).toEqual([world.ref(pull)]);
    // A comment of our own is never read as an order, and what may not be done inside of a turn is
    // not.
    expect(
      (await service.parts.store.items.load(world.ref(number))).sessions.map(
        ({ status }) => status,
      ),
    ).toEqual(["active"]);
    await until(
      async () =>
        (await service.events("delivery.decided")).filter(({ reason }) => reason === "own-comment")
          .length >= 2,
      "our own comments to be dropped",
    );
  },
);

test(
  "a real child sees who it works for and our loop, and none of our secrets",
  { timeout: 60_000 },
  async () => {
    const world = await createWorld();
    Object.assign(world.scene.env, {
      LOOP_WORK_ITEM: "host:outer/turn#1",
      HTTP_PROXY_OF_TEST: "stays",
    });
    const service = await world.start();
    const number = world.startIssue(
      "{{stub:bash node -p 'JSON.stringify(process.env)' > env.json}}",
    );
    await service.event("turn.done");
    const workdir = String((await service.event("checkout.prepared")).fields["workdir"]);
    const env = JSON.parse(readFileSync(join(workdir, "env.json"), "utf8")) as Record<
      string,
      string
    >;
    expect(env).toMatchObject({
      LOOP_WORK_ITEM: world.ref(number),
      LOOP_INSTANCE: "default",
      LOOP_CONFIG: world.scene.configFile,
      HTTP_PROXY_OF_TEST: "stays",
      HOME: world.scene.home,
    });
    expect(env["PATH"]?.startsWith(join(world.stateRoot, "bin"))).toBe(true);
    expect(Object.keys(env)).not.toContain("LOOP_HOST_TOKEN");
    expect(Object.keys(env)).not.toContain("LOOP_HOST_WEBHOOK_SECRET");
    expect(JSON.stringify(env)).not.toContain("practice-agent");
  },
);

/** A service after the first turn of its work item, and what that turn asks the dispatcher for. */
async function askingTurn(repositories: string): Promise<{
  readonly world: World;
  readonly service: Awaited<ReturnType<World["start"]>>;
  readonly number: number;
  links(): Promise<readonly string[]>;
  say(on: string): Promise<TurnAnswer>;
  link(pullRequest: string): Promise<TurnAnswer>;
}> {
  const world = await createWorld();
  world.scene.configure(
    world.scene.text().replace("repositories: [practice/garden]", `repositories: ${repositories}`),
  );
  const service = await world.start();
  const number = world.startIssue();
  await service.event("turn.done");
  const turn = (await service.turns())[0];
  if (turn === undefined) throw new Error("there is no turn");
  const ask = (request: TurnRequestBody, name: string): Promise<TurnAnswer> =>
    carryOutRequest(
      request,
      `turn-test-${name.replaceAll(/[^a-z0-9]/g, "-")}`,
      turn,
      service.parts,
    );
  return {
    world,
    service,
    number,
    links: async () =>
      (await service.parts.store.items.load(world.ref(number))).pullRequests.map(
        ({ pullRequest }) => pullRequest,
      ),
    say: (on) => ask({ kind: "comment", text: "hello", on }, on),
    link: (pullRequest) => ask({ kind: "link-pr", pullRequest }, pullRequest),
  };
}

test(
  "inside of a turn a comment goes no further than the work item's repository and its recorded pull requests",
  { timeout: 60_000 },
  async () => {
    const { number, say, link, world } = await askingTurn("[practice/garden, elsewhere/listed]");
    expect(await say("host:elsewhere/listed#1")).toMatchObject({
      ok: false,
      code: "LOOP_E_INSIDE_TURN",
    });
    expect(await say(`host:Practice/Garden#${number}`)).toMatchObject({ ok: true });
    expect(
      await say(`host:${new URL(world.host.url).host}/practice/garden#${number}`),
    ).toMatchObject({ ok: true });
    const listed = await openListed(world);
    await link(listed);
    expect(await say(listed)).toMatchObject({ ok: true });
  },
);

test(
  "inside of a turn only pull requests of the work item's repository and of listed ones are recorded, so that no comment gets further",
  { timeout: 60_000 },
  async () => {
    const { world, say, link, links } = await askingTurn("[practice/garden, elsewhere/listed]");
    const [listed, own] = [await openListed(world), await openPull(world, "loop-agent")];
    expect(await link("host:elsewhere/private#1")).toMatchObject({
      ok: false,
      code: "LOOP_E_INSIDE_TURN",
      hint: expect.stringContaining("routing.repositories"),
    });
    expect(await say("host:elsewhere/private#1")).toMatchObject({
      ok: false,
      code: "LOOP_E_INSIDE_TURN",
    });
    expect(await link("host:other.example/elsewhere/listed#1")).toMatchObject({
      ok: false,
      code: "LOOP_E_INSIDE_TURN",
    });
    expect(await links()).toEqual([]);
    expect(await link(listed.replace("elsewhere/listed", "Elsewhere/Listed"))).toMatchObject({
      ok: true,
    });
    expect(await link(`host:Practice/Garden#${own}`)).toMatchObject({ ok: true });
    expect(await links()).toEqual([listed, world.ref(own)]);
  },
);

test(
  "with no list of repositories a turn records pull requests of its own repository alone",
  { timeout: 60_000 },
  async () => {
    const { world, link, links } = await askingTurn("[]");
    const own = await openPull(world, "loop-agent");
    expect(await link("host:elsewhere/listed#1")).toMatchObject({
      ok: false,
      code: "LOOP_E_INSIDE_TURN",
    });
    expect(await link(String(own))).toMatchObject({ ok: true });
    expect(await links()).toEqual([world.ref(own)]);
  },
);

test(
  "a turn records a pull request from a fork only where its author has authority or is the service itself",
  { timeout: 90_000 },
  async () => {
    const { world, number, link, links, service } = await askingTurn("[practice/garden]");
    const stranger = await openPull(world, "mallory");
    expect(await link(String(stranger))).toMatchObject({
      ok: false,
      code: "LOOP_E_FOREIGN_PULL_REQUEST",
      hint: expect.stringContaining("a person"),
    });
    expect(await links()).toEqual([]);
    const [own, ada, branch] = [
      await openPull(world, "loop-agent"),
      await openPull(world, "ada"),
      await openPull(world, "grace", false),
    ];
    for (const each of [own, ada, branch])
      expect(await link(String(each)), String(each)).toMatchObject({ ok: true });
    expect(
      await world.scene.loop("add-collaborator", "@mallory", "--work-item", world.ref(number)),
    ).toMatchObject({ code: 0 });
    await until(
      async () =>
        (await service.parts.store.items.load(world.ref(number))).collaborators.length === 1,
      "the grant",
    );
    expect(await link(String(stranger))).toMatchObject({ ok: true });
    expect(await links()).toEqual([own, ada, branch, stranger].map((each) => world.ref(each)));
  },
);

test(
  "a person's record of a stranger's pull request lets a turn record it again",
  { timeout: 60_000 },
  async () => {
    const { world, number, link } = await askingTurn("[practice/garden]");
    const stranger = await openPull(world, "mallory");
    expect(
      await world.scene.loop(
        "sessions",
        "link-pr",
        "--work-item",
        world.ref(number),
        "--pull-request",
        String(stranger),
      ),
    ).toMatchObject({ code: 0 });
    expect(await link(String(stranger))).toMatchObject({ ok: true });
  },
);

test(
  "a turn cannot record a number in advance under which a stranger opens a pull request later",
  { timeout: 60_000 },
  async () => {
    const { link, links } = await askingTurn("[practice/garden]");
    expect(await link("99")).toMatchObject({ ok: false, code: "LOOP_E_NO_ITEM" });
    expect(await links()).toEqual([]);
  },
);
