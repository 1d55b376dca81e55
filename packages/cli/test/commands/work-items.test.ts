import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createScene, type Scene } from "../support/scene.ts";
import { until } from "../support/until.ts";
import { createWorld, startService } from "../support/world.ts";

/** Another machine of the same people: a home, a state root and a store of its own. */
function elsewhere(text: string, env: Readonly<Record<string, string>>): Scene {
  const scene = createScene(text);
  Object.assign(scene.env, env, { HOME: scene.home, LOOP_CONFIG: scene.configFile });
  return scene;
}

test("records move to another machine by a file: the next word there begins a session, and what is written again is the same to the byte", { timeout: 120_000 }, async () => {
  const world = await createWorld({ more: "instance: { name: north }" });
  const service = await world.start();
  const ref = world.ref(world.startIssue("{{stub:text watered}}"));
  await until(async () => (await service.turns()).some(({ state }) => state === "done"), "the first turn");
  await service.stop();
  const exported = await world.scene.loop("work-items", "export");
  expect(exported.out).toContain(`ref: ${ref}`);
  expect(exported.out).not.toContain(world.scene.dir);

  const south = elsewhere(world.scene.text().replace("name: north", "name: south"), world.scene.env);
  const file = join(south.dir, "items.yaml");
  writeFileSync(file, exported.out);
  expect(await south.loop("work-items", "import", file, "--take")).toMatchObject({ code: 0, out: `✓ ${ref}\n` });
  expect((await south.loop("work-items", "export")).out).toBe(exported.out.replaceAll("instance: north", "instance: south"));
  expect((await south.loop("events", "--type", "work-item.imported", "--json")).out).toContain('"from": "north"');
  expect(await south.loop("work-items", "import", file, "--take")).toMatchObject({ code: 0, out: `= ${ref} stands here like that already\n` });

  const there = await startService(south, world.host, (parts) => parts);
  world.host.comment(1, "and {{stub:text the roses}}", "ada");
  await until(async () => (await there.turns()).some(({ state }) => state === "done"), "the word is worked on there", async () => JSON.stringify(await there.events(), null, 1));
  const [before, begun] = world.prompts();
  expect(begun?.text).toContain("the roses");
  expect(begun?.session).not.toBe(before?.session);
  expect(await south.loop("work-items", "import", file, "--replace")).toMatchObject({ code: 1, out: expect.stringContaining("is at work here") });
});

test("what is no record is refused as a whole, with each problem and its place", async () => {
  const scene = createScene("state: { root: state }\n");
  const says = async (text: string): Promise<string> => {
    scene.stdin(text);
    const ran = await scene.loop("work-items", "import", "-");
    expect(ran.code).toBe(2);
    return ran.err;
  };
  expect(await says("- version: 1\n  workItem: { ref: nonsense }\n")).toMatch(/\[0\]\.workItem\.ref must be a ref[^]*\[0\]\.workItem\.title must be a text/);
  expect(await says("version: 1")).toContain("the file must be a list of records");
  expect(await says("- &a [x]\n- *a\n")).toContain("the file holds an alias");
  expect(await says("- {a: 1, a: 2}")).toMatch(/the file .*unique/);
  expect((await scene.loop("work-items", "import", "nowhere.yaml")).err).toContain("nowhere.yaml cannot be read");
  expect(await scene.loop("work-items", "export", "ada/garden#1")).toMatchObject({ code: 1, out: expect.stringContaining("nothing of host:ada/garden#1 is on record here") });
  expect((await scene.loop("work-items", "export", "--json")).json()).toEqual([]);
  scene.stdin("[]");
  expect(await scene.loop("work-items", "import", "-")).toMatchObject({ code: 0, out: "the file holds no records\n" });
});
