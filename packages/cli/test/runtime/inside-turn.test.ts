import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { carryOutRequest } from "../../src/runtime/turn/carry-out-request.ts";
import type { TurnAnswer } from "../../src/runtime/turn/requests.ts";
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

test("inside of a turn a comment goes no further than the work item's repository and its recorded pull requests", { timeout: 60_000 }, async () => {
  const world = await createWorld();
  const service = await world.start();
  const number = world.startIssue();
  await service.event("turn.done");
  const turn = (await service.turns())[0];
  if (turn === undefined) throw new Error("there is no turn");
  const say = (on: string): Promise<TurnAnswer> => carryOutRequest({ kind: "comment", text: "hello", on }, `turn-test-${on.replaceAll(/[^a-z0-9]/g, "-")}`, turn, service.parts);
  expect(await say("host:elsewhere/private#1")).toMatchObject({ ok: false, code: "LOOP_E_INSIDE_TURN" });
  expect(await say(`host:Practice/Garden#${number}`)).toMatchObject({ ok: true });
  await carryOutRequest({ kind: "link-pr", pullRequest: "host:elsewhere/private#1" }, "turn-test-link", turn, service.parts);
  expect(await say("host:elsewhere/private#1")).toMatchObject({ ok: false, code: "LOOP_E_HOST_NOT_FOUND" });
});
