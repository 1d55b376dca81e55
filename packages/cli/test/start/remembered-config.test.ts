import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadConfig } from "../../src/start/load-config.ts";
import { lookingConfig, type LookingConfig } from "../../src/start/remembered-config.ts";
import { createScene } from "../support/scene.ts";

/** Looks twice; what the second look gave, and how often the configuration was read whole. */
async function twice(text: string, stateRoot: string | null = "state"): Promise<{ readonly scene: ReturnType<typeof createScene>; readonly second: LookingConfig; readonly whole: number }> {
  const scene = createScene(text);
  writeFileSync(join(scene.dir, "own.env"), "");
  if (stateRoot !== null) mkdirSync(join(scene.dir, stateRoot), { recursive: true });
  let whole = 0;
  const load = async (): Promise<ReturnType<typeof loadConfig>> => ((whole += 1), loadConfig(scene.configFile, around));
  const around = { env: scene.env, cwd: scene.cwd, home: scene.home, version: "1" };
  await lookingConfig(scene.configFile, around, load);
  return { scene, second: await lookingConfig(scene.configFile, around, load), whole };
}

test("what is remembered is what reading it gives, key by key", async () => {
  const { scene, second, whole } = await twice("state: { root: state }\nrouting: { authorizedUsers: [ada], graph: { specDir: specs, hooks: [{ node: design, command: [make] }] }, control: { keywords: { start: go } } }\ncritics: [{ name: one, prompt: look }]\n");
  const { config, paths } = loadConfig(scene.configFile, scene);
  expect(whole).toBe(1);
  expect([second.config, second.paths]).toEqual([config, paths]);
});

test.each([
  ["the environment adds to it", "state: { root: state }\nenv: { file: own.env }\n", "state"],
  ["the state root is written in a way that only YAML reads", "state:\n  root: state\n", "state"],
  ["there is no state root", "state: { root: state }\n", null],
])("nothing is remembered where %s", async (_why, text, stateRoot) => {
  const ran = await twice(text, stateRoot);
  expect(ran.whole).toBe(2);
  expect(existsSync(join(ran.scene.dir, "state", "remembered-config.json"))).toBe(false);
});

test("nothing is written through links that lie where it is remembered: a repository may bring them along", async () => {
  const scene = createScene("state: { root: state }\n");
  const [foreign, folder] = [join(scene.dir, "foreign"), join(scene.dir, "state")];
  writeFileSync(foreign, "mine\n");
  mkdirSync(folder);
  for (const name of ["remembered-config.json", `remembered-config.json.${process.pid}`]) symlinkSync(foreign, join(folder, name));
  const around = { env: scene.env, cwd: scene.cwd, home: scene.home, version: "1" };
  await lookingConfig(scene.configFile, around, async () => loadConfig(scene.configFile, around));
  expect(readFileSync(foreign, "utf8")).toBe("mine\n");
  expect(lstatSync(join(folder, "remembered-config.json")).isFile()).toBe(true);
});

test("nothing is remembered where the state root is a link", async () => {
  const scene = createScene("state: { root: state }\n");
  mkdirSync(join(scene.dir, "elsewhere"));
  symlinkSync(join(scene.dir, "elsewhere"), join(scene.dir, "state"));
  const around = { env: scene.env, cwd: scene.cwd, home: scene.home, version: "1" };
  await lookingConfig(scene.configFile, around, async () => loadConfig(scene.configFile, around));
  expect(existsSync(join(scene.dir, "elsewhere", "remembered-config.json"))).toBe(false);
});
