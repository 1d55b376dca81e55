import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { carryOutRequest } from "../../src/runtime/turn/carry-out-request.ts";
import type { TurnAnswer, TurnRequestBody } from "../../src/runtime/turn/requests.ts";
import { until } from "../support/until.ts";
import { createWorld, type World } from "../support/world.ts";

const commentsOf = (world: World, number: number): readonly string[] => world.host.issue(number).comments.filter(({ author }) => author.login === "loop-agent").map(({ body }) => body);

test("inside of a turn comment, ask and link-pr reach the dispatcher through the real command line", { timeout: 90_000 }, async () => {
  const world = await createWorld();
  const service = await world.start();
  const number = world.startIssue("{{stub:bash loop comment I have begun}} {{stub:bash loop ask How often?}} {{stub:bash loop sessions link-pr --pull-request 9}} {{stub:bash loop sessions close}}");
  await service.event("turn.done");
  const comments = commentsOf(world, number);
  expect(comments.map((body) => body.split("\n")[0])).toEqual(expect.arrayContaining(["I have begun", "How often?"]));
  expect((await service.parts.store.items.load(world.ref(number))).pullRequests.map(({ pullRequest }) => pullRequest)).toEqual([world.ref(9)]);
  // A comment of our own is never read as an order, and what may not be done inside of a turn is not.
  expect((await service.parts.store.items.load(world.ref(number))).sessions.map(({ status }) => status)).toEqual(["active"]);
  await until(async () => (await service.events("delivery.decided")).filter(({ reason }) => reason === "own-comment").length >= 2, "our own comments to be dropped");
});

test("a real child sees who it works for and our loop, and none of our secrets", { timeout: 60_000 }, async () => {
  const world = await createWorld();
  Object.assign(world.scene.env, { LOOP_WORK_ITEM: "host:outer/turn#1", HTTP_PROXY_OF_TEST: "stays" });
  const service = await world.start();
  const number = world.startIssue("{{stub:bash node -p 'JSON.stringify(process.env)' > env.json}}");
  await service.event("turn.done");
  const workdir = String((await service.event("checkout.prepared")).fields["workdir"]);
  const env = JSON.parse(readFileSync(join(workdir, "env.json"), "utf8")) as Record<string, string>;
  expect(env).toMatchObject({ LOOP_WORK_ITEM: world.ref(number), LOOP_INSTANCE: "default", LOOP_CONFIG: world.scene.configFile, HTTP_PROXY_OF_TEST: "stays", HOME: world.scene.home });
  expect(env["PATH"]?.startsWith(join(world.stateRoot, "bin"))).toBe(true);
  expect(Object.keys(env)).not.toContain("LOOP_HOST_TOKEN");
  expect(Object.keys(env)).not.toContain("LOOP_HOST_WEBHOOK_SECRET");
  expect(JSON.stringify(env)).not.toContain("practice-agent");
});

/** A service after the first turn of its work item, and what that turn asks the dispatcher for. */
async function askingTurn(repositories: string): Promise<{ readonly world: World; readonly number: number; links(): Promise<readonly string[]>; say(on: string): Promise<TurnAnswer>; link(pullRequest: string): Promise<TurnAnswer> }> {
  const world = await createWorld();
  world.scene.configure(world.scene.text().replace("repositories: [practice/garden]", `repositories: ${repositories}`));
  const service = await world.start();
  const number = world.startIssue();
  await service.event("turn.done");
  const turn = (await service.turns())[0];
  if (turn === undefined) throw new Error("there is no turn");
  const ask = (request: TurnRequestBody, name: string): Promise<TurnAnswer> => carryOutRequest(request, `turn-test-${name.replaceAll(/[^a-z0-9]/g, "-")}`, turn, service.parts);
  return {
    world,
    number,
    links: async () => (await service.parts.store.items.load(world.ref(number))).pullRequests.map(({ pullRequest }) => pullRequest),
    say: (on) => ask({ kind: "comment", text: "hello", on }, on),
    link: (pullRequest) => ask({ kind: "link-pr", pullRequest }, pullRequest),
  };
}

test("inside of a turn a comment goes no further than the work item's repository and its recorded pull requests", { timeout: 60_000 }, async () => {
  const { number, say, link, world } = await askingTurn("[practice/garden, elsewhere/listed]");
  expect(await say("host:elsewhere/listed#1")).toMatchObject({ ok: false, code: "LOOP_E_INSIDE_TURN" });
  expect(await say(`host:Practice/Garden#${number}`)).toMatchObject({ ok: true });
  expect(await say(`host:${new URL(world.host.url).host}/practice/garden#${number}`)).toMatchObject({ ok: true });
  await link("host:elsewhere/listed#1");
  expect(await say("host:elsewhere/listed#1")).toMatchObject({ ok: false, code: "LOOP_E_HOST_NOT_FOUND" });
});

test("inside of a turn only pull requests of the work item's repository and of listed ones are recorded, so that no comment gets further", { timeout: 60_000 }, async () => {
  const { say, link, links } = await askingTurn("[practice/garden, elsewhere/listed]");
  expect(await link("host:elsewhere/private#1")).toMatchObject({ ok: false, code: "LOOP_E_INSIDE_TURN", hint: expect.stringContaining("routing.repositories") });
  expect(await say("host:elsewhere/private#1")).toMatchObject({ ok: false, code: "LOOP_E_INSIDE_TURN" });
  expect(await link("host:other.example/elsewhere/listed#1")).toMatchObject({ ok: false, code: "LOOP_E_INSIDE_TURN" });
  expect(await links()).toEqual([]);
  expect(await link("host:Elsewhere/Listed#1")).toMatchObject({ ok: true });
  expect(await link("host:Practice/Garden#12")).toMatchObject({ ok: true });
  expect(await links()).toEqual(["host:elsewhere/listed#1", "host:practice/garden#12"]);
});

test("with no list of repositories a turn records pull requests of its own repository alone", { timeout: 60_000 }, async () => {
  const { link, links } = await askingTurn("[]");
  expect(await link("host:elsewhere/listed#1")).toMatchObject({ ok: false, code: "LOOP_E_INSIDE_TURN" });
  expect(await link("12")).toMatchObject({ ok: true });
  expect(await links()).toEqual(["host:practice/garden#12"]);
});
