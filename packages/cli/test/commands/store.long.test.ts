import { existsSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type PostgresServer, startPostgres } from "@loopwork-tooling/postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createScene } from "../support/scene.ts";
import { until } from "../support/until.ts";
import { createWorld, type Service, type World } from "../support/world.ts";

let server: PostgresServer;
beforeAll(async () => void (server = await startPostgres()), 300_000);
afterAll(() => server.stop(), 60_000);

const untilDone = (service: Service, turns: number): Promise<unknown> =>
  until(
    async () => (await service.turns()).filter(({ state }) => state === "done").length === turns,
    `${turns} turns`,
    async () => service.said.join("\n"),
  );

/** A service that has started one item and is stopped again. */
async function workedOn(world: World): Promise<number> {
  const service = await world.start();
  const number = world.startIssue();
  await untilDone(service, 1);
  await service.stop();
  return number;
}

/** Says something on the item and expects it in the very conversation that there was before. */
async function goesOn(world: World, number: number, turns: number): Promise<Service> {
  const service = await world.start();
  world.host.comment(number, "And the can?", "ada");
  await untilDone(service, turns);
  expect(new Set(world.prompts().map(({ session }) => session)).size).toBe(1);
  expect(world.prompts().at(-1)?.text).toContain("And the can?");
  return service;
}

describe("a store as a whole", { timeout: 300_000 }, () => {
  test("a backup is taken while the service runs, put back, and the service goes on from it in the same session", async () => {
    const world = await createWorld();
    const service = await world.start();
    const number = world.startIssue();
    await untilDone(service, 1);
    expect(await world.scene.loop("store", "check")).toMatchObject({
      code: 0,
      out: expect.stringContaining("is intact"),
    });
    const file = join(world.scene.dir, "backups", "today.db");
    expect(await world.scene.loop("store", "backup", "--to", file)).toMatchObject({
      code: 0,
      out: expect.stringContaining(file),
    });
    expect(await world.scene.loop("store", "backup", "--to", file)).toMatchObject({
      code: 2,
      err: expect.stringContaining("LOOP_E_STORE_NOT_EMPTY"),
    });
    await service.stop();

    // The store is lost; what stands in the state root beside it is not.
    const lost = join(world.scene.dir, "lost");
    mkdirSync(lost);
    for (const name of readdirSync(world.stateRoot).filter((each) => each.startsWith("loop.db")))
      renameSync(join(world.stateRoot, name), join(lost, name));
    renameSync(file, join(world.stateRoot, "loop.db"));
    if (existsSync(`${file}-bodies`))
      renameSync(`${file}-bodies`, join(world.stateRoot, "loop.db-bodies"));
    await (await goesOn(world, number, 2)).stop();
    expect(await world.scene.loop("store", "check", "--json")).toMatchObject({ code: 0 });
  });

  test("moved to PostgreSQL under a name of its own, backed up there while it runs, and back to a file: one conversation all the way", async () => {
    const world = await createWorld();
    const number = await workedOn(world);
    world.scene.env["STORE_URL"] = server.url();

    const running = await world.start();
    expect(
      await world.scene.loop("store", "migrate", "--to", "env:STORE_URL", "--instance", "build-1"),
    ).toMatchObject({ code: 2, err: expect.stringContaining("LOOP_E_STORE_IN_USE") });
    await running.stop();
    const moved = await world.scene.loop(
      "store",
      "migrate",
      "--to",
      "env:STORE_URL",
      "--instance",
      "build-1",
      "--json",
    );
    expect(moved).toMatchObject({ code: 0, err: "" });
    expect(moved.json()).toMatchObject({ instances: ["build-1"], resumed: false, damaged: [] });
    expect(moved.out + moved.err).not.toContain(server.password);

    const onFile = world.scene.text();
    world.scene.configure(`${onFile}\nstore: { urlEnv: STORE_URL }\ninstance: { name: build-1 }\n`);
    const service = await goesOn(world, number, 2);
    const file = join(world.scene.dir, "of-postgres.db");
    expect(await world.scene.loop("store", "check")).toMatchObject({
      code: 0,
      out: expect.stringContaining("is intact"),
    });
    expect(await world.scene.loop("store", "backup", "--to", file)).toMatchObject({ code: 0 });
    await service.stop();

    // The backup of PostgreSQL is a store that a single machine runs on.
    world.scene.configure(
      `${onFile}\nstore: { url: ${JSON.stringify(`sqlite:${file}`)} }\ninstance: { name: build-1 }\n`,
    );
    await (await goesOn(world, number, 3)).stop();
    const back = await world.scene.loop(
      "store",
      "migrate",
      "--from",
      "env:STORE_URL",
      "--to",
      "sqlite:back.db",
    );
    expect(back).toMatchObject({ code: 0, out: expect.stringContaining("compared every row") });
    expect(existsSync(join(world.scene.cwd, "back.db"))).toBe(true);
    expect(world.prompts()).toHaveLength(3);
  });

  test("a store that is not sound is exit 1, with what is wrong in words", async () => {
    const world = await createWorld();
    await workedOn(world);
    const database = new DatabaseSync(join(world.stateRoot, "loop.db"), {
      enableForeignKeyConstraints: false,
    });
    database.exec("delete from decision where seq = (select max(seq) from decision)");
    database.close();
    const checked = await world.scene.loop("store", "check");
    expect(checked).toMatchObject({
      code: 1,
      out: expect.stringMatching(
        /✗ undecided-behind: default has passed 1 deliveries without a decision/,
      ),
    });
    expect((await world.scene.loop("store", "check", "--json")).json()).toMatchObject({
      sound: false,
      findings: [{ kind: "undecided-behind" }],
    });
  });
});

test.each([
  [["store", "migrate"], "LOOP_E_USAGE"],
  [["store", "migrate", "--to", "env:NOWHERE"], "LOOP_E_STORE_URL"],
  [["store", "migrate", "--to", "sqlite:"], "LOOP_E_STORE_URL"],
  [["store", "migrate", "--to", "sqlite:new.db"], "LOOP_E_STORE_MISSING"],
  [["store", "migrate", "--to", "sqlite:new.db", "--instance", "Build 1"], "LOOP_E_USAGE"],
  [["store", "migrate", "--from", "sqlite:a.db", "--to", "sqlite:./a.db"], "LOOP_E_STORE_SAME"],
  [["store", "backup"], "LOOP_E_USAGE"],
  [["store", "backup", "--to", "new.db"], "LOOP_E_STORE_MISSING"],
  [["store", "check"], "LOOP_E_STORE_MISSING"],
  [["store", "check", "--url", "mysql://ada:hunter2@db/loop"], "LOOP_E_STORE_URL"],
  [["store", "check", "--url", "postgres://ada:hunter2@127.0.0.1:1/loop"], "LOOP_E_STORE_AWAY"],
])("%j: %s with a hint, and no password", async (argv, code) => {
  const scene = createScene("state: { root: state }\n");
  const ran = await scene.loop(...argv);
  expect(ran).toMatchObject({ code: 2, out: "", err: expect.stringContaining(code) });
  expect(ran.err).toContain("→ ");
  expect(ran.err).not.toContain("hunter2");
  expect(ran.err).not.toContain("    at ");
});
