import { createHmac, randomUUID } from "node:crypto";
import { type PostgresServer, startPostgres } from "@loopwork-tooling/postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadConfig } from "../../src/configuration/load-config.ts";
import { openLocksOf } from "../../src/start/open.ts";
import { until } from "../support/until.ts";
import { createScene } from "../support/scene.ts";
import { createWorld, startService, type World } from "../support/world.ts";

let server: PostgresServer;
beforeAll(async () => void (server = await startPostgres()), 120_000);
afterAll(() => server.stop(), 60_000);

async function sharedWorld(name: string): Promise<World> {
  const world = await createWorld({
    more: `store: { urlEnv: STORE_URL }\ninstance: { name: ${name} }`,
  });
  world.scene.env["STORE_URL"] = server.url();
  return world;
}

test(
  "D05, R14, D01: a start goes all its way on PostgreSQL; with the server away webhooks hear 503 and doctor says why; afterwards the service goes on",
  { timeout: 180_000 },
  async () => {
    const world = await sharedWorld("one");
    const service = await world.start();
    world.startIssue();
    await until(
      async () => (await service.turns()).some(({ state }) => state === "done"),
      "the turn",
      async () => service.said.join("\n"),
    );
    expect(world.prompts()).toHaveLength(1);
    expect((await world.scene.loop("doctor")).out).toContain("PostgreSQL, from $STORE_URL");

    await server.kill();
    const answer = await post(service.url);
    expect([answer.status, answer.headers.has("retry-after")]).toEqual([503, true]);
    expect((await fetch(new URL("/health", service.url))).status).toBe(200);
    const doctor = await world.scene.loop("doctor");
    expect(doctor.code).toBe(1);
    expect(doctor.out).toMatch(/✗ Store +PostgreSQL at 127\.0\.0\.1:\d+ cannot be reached/);
    const status = await world.scene.loop("status");
    expect(status.code).toBe(2);
    expect(status.err).toContain("LOOP_E_STORE_AWAY");
    for (const text of [doctor.out, doctor.err, status.out, status.err, ...service.said])
      expect(text).not.toContain(server.password);

    await server.start();
    await until(async () => (await post(service.url)).status === 202, "a delivery that is taken");
    const next = world.startIssue();
    await until(
      async () => (await service.turns()).filter(({ state }) => state === "done").length === 2,
      `the turn of ${next}`,
      async () => service.said.join("\n"),
    );
    expect(world.prompts()).toHaveLength(2);
  },
);

test(
  "S08: two instances hear of each delivery, whoever received it, and each start is claimed by exactly one of them",
  { timeout: 180_000 },
  async () => {
    const world = await sharedWorld("left");
    // The tests share a store: these items are not the ones of the test above.
    for (let n = 0; n < 10; n += 1) world.host.openIssue({ title: "of another test", by: "ada" });
    const left = await world.start();
    // The second instance receives from now on; the first one reads what it stores.
    const scene = createScene(world.scene.text().replaceAll("name: left", "name: right"));
    Object.assign(scene.env, world.scene.env, { HOME: scene.home, LOOP_CONFIG: scene.configFile });
    const right = await startService(scene, world.host, (parts) => parts);
    const numbers = [
      world.startIssue(),
      world.startIssue(),
      world.startIssue(),
      world.startIssue(),
    ];
    const ended = async (): Promise<boolean> =>
      (await left.turns()).filter(
        ({ state, workItem }) =>
          state === "done" && numbers.some((number) => workItem === world.ref(number)),
      ).length === numbers.length;
    await until(ended, "the turns", async () => [...left.said, ...right.said].join("\n"));
    await until(
      async () =>
        (
          await Promise.all(
            [left, right].map(async ({ parts }) => (await parts.store.stats()).undecided),
          )
        ).every((count) => count === 0),
      "the decisions",
    );
    expect(world.prompts()).toHaveLength(numbers.length);
    for (const number of numbers) {
      const owner = (await left.parts.store.items.load(world.ref(number))).workItem?.control
        .instance;
      const verdicts = await Promise.all(
        [left, right].map(async ({ parts }) =>
          (await parts.store.log.list({ limit: 100, workItem: world.ref(number) })).map(
            ({ decision }) => decision?.verdict,
          ),
        ),
      );
      expect(["left", "right"]).toContain(owner);
      expect(verdicts.flat().filter((verdict) => verdict === "started")).toHaveLength(1);
    }
  },
);

test("one process of all machines dispatches for an instance", { timeout: 60_000 }, async () => {
  const [here, there] = [await sharedWorld("two"), await sharedWorld("two")];
  const locksOf = async (world: World): ReturnType<typeof openLocksOf> =>
    openLocksOf(loadConfig(world.scene.configFile, world.scene));
  const lock = await (await locksOf(here)).acquire("dispatcher-two");
  expect(lock).not.toBeNull();
  expect(await (await locksOf(there)).acquire("dispatcher-two")).toBeNull();
  const files = await (await locksOf(there)).acquire("repository");
  expect(files).not.toBeNull();
  await lock?.release();
  await files?.release();
  const next = await (await locksOf(there)).acquire("dispatcher-two");
  expect(next).not.toBeNull();
  await next?.release();
});

function post(url: string): Promise<Response> {
  const body = JSON.stringify({ action: "opened", once: randomUUID() });
  const signature = `sha256=${createHmac("sha256", "practice-secret").update(body).digest("hex")}`;
  return fetch(url, {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json",
      "x-host-event": "issues",
      "x-host-delivery": randomUUID(),
      "x-host-signature-256": signature,
    },
  });
}
