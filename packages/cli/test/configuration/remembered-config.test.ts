import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadConfig, type LoadedConfig } from "../../src/configuration/load-config.ts";
import { lookingConfig, type LookingConfig } from "../../src/configuration/remembered-config.ts";
import { openConfig } from "../../src/configuration/open-config.ts";
import { createScene, type Scene } from "../support/scene.ts";

/** Looks twice; what the second look gave, and how often the configuration was read whole. */
async function twice(
  text: string,
  stateRoot: string | null = "state",
): Promise<{ readonly scene: Scene; readonly second: LookingConfig; readonly whole: number }> {
  const scene = createScene(text);
  writeFileSync(join(scene.dir, "own.env"), "");
  if (stateRoot !== null) mkdirSync(join(scene.dir, stateRoot), { recursive: true });
  let whole = 0;
  const look = (): Promise<LookingConfig> => lookedAt(scene, () => (whole += 1));
  await look();
  return { scene, second: await look(), whole };
}

function lookedAt(scene: Scene, onWhole: () => void = () => {}): Promise<LookingConfig> {
  const around = { env: scene.env, cwd: scene.cwd, home: scene.home, version: "1" };
  const load = async (): Promise<LoadedConfig> => (onWhole(), loadConfig(scene.configFile, around));
  return lookingConfig(openConfig(scene.configFile, around).config, around, load);
}

const folderOf = (scene: Scene): string => join(scene.home, ".loop", "remembered-configs");

test("what is remembered is what reading it gives, key by key", async () => {
  const { scene, second, whole } = await twice(
    "state: { root: state }\nrouting: { authorizedUsers: [ada], graph: { specDir: specs, hooks: [{ node: design, command: [make] }] }, control: { keywords: { start: go } } }\ncritics: [{ name: one, prompt: look }]\n",
  );
  const { config, paths } = loadConfig(scene.configFile, scene);
  expect(whole).toBe(1);
  expect([second.config, second.paths]).toEqual([config, paths]);
});

test.each([
  ["the environment adds to it", "state: { root: state }\nenv: { file: own.env }\n", "state"],
  ["there is no state root", "state: { root: state }\n", null],
])("nothing is remembered where %s", async (_why, text, stateRoot) => {
  const ran = await twice(text, stateRoot);
  expect(ran.whole).toBe(2);
  expect(existsSync(folderOf(ran.scene))).toBe(false);
});

test("a remembered configuration that another user could have written is not used", async () => {
  const { scene } = await twice("state: { root: state }\n");
  const [name = ""] = readdirSync(folderOf(scene));
  chmodSync(join(folderOf(scene), name), 0o666);
  let whole = 0;
  await lookedAt(scene, () => (whole += 1));
  expect(whole).toBe(1);
});

test("a repository cannot bring a remembered configuration along: it is looked for in the home folder alone", async () => {
  const { scene } = await twice("state: { root: state }\n");
  expect(readdirSync(join(scene.dir, "state"))).toEqual([]);
  expect(readdirSync(folderOf(scene))).toHaveLength(1);
});

test("nothing is written through a link that lies where it is remembered", async () => {
  const { scene } = await twice("state: { root: state }\n");
  const [name = ""] = readdirSync(folderOf(scene));
  const [foreign, file] = [join(scene.dir, "foreign"), join(folderOf(scene), name)];
  writeFileSync(foreign, "mine\n");
  rmSync(file);
  symlinkSync(foreign, file);
  await lookedAt(scene);
  expect(readFileSync(foreign, "utf8")).toBe("mine\n");
  expect(lstatSync(file).isFile()).toBe(true);
});
