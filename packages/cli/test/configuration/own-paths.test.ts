import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { loadConfig, runtimeSettings } from "../../src/configuration/load-config.ts";
import { createScene } from "../support/scene.ts";

/** Every key that names a path of ours, at a place of its own outside of the state root. */
const elsewhere = (dir: string): Readonly<Record<string, string>> => ({
  storeUrl: join(dir, "stores/loop.db"),
  pidfile: join(dir, "run/receiver.pid"),
  tokenFile: join(dir, "keys/control-plane.token"),
  envFile: join(dir, "env/loop.env"),
  workspaceRoot: join(dir, "checkouts"),
  graphFile: join(dir, "graphs/own.yaml"),
});

/** Keys of `Paths` of which nothing is hidden, each with its reason. */
const harmless: Readonly<Record<string, string>> = {
  base: "the operator's folder that relative paths begin in",
  spawnWorkdir: "the folder that sessions work in",
  sandboxRead: "opened by the operator",
  sandboxWrite: "opened by the operator",
};

describe("what the sandbox hides of loop's own", () => {
  function hidden() {
    const scene = createScene();
    const at = elsewhere(scene.dir);
    mkdirSync(join(scene.dir, "env"));
    writeFileSync(at["envFile"] ?? "", "", { mode: 0o600 });
    scene.configure(`
state: { root: ${join(scene.dir, "state")} }
store: { url: "sqlite:${at["storeUrl"]}" }
service: { tokenFile: ${at["tokenFile"]} }
webhooks: { hostWebhook: { pidfile: ${at["pidfile"]} } }
env: { file: ${at["envFile"]} }
routing: { workspace: { root: ${at["workspaceRoot"]} }, graph: { definition: ${at["graphFile"]} } }
`);
    const loaded = loadConfig(scene.configFile, scene);
    return { at, loaded, scene, hide: runtimeSettings(loaded).sandbox.hide };
  }

  test("the store, its journals, the token, the pidfile, the env file, the graph and the configuration, wherever they lie", () => {
    const { at, hide, scene } = hidden();
    const store = at["storeUrl"] ?? "";
    for (const file of [
      ...Object.values(at),
      ...["-wal", "-shm", "-journal"].map((end) => `${store}${end}`),
      join(scene.dir, "state"),
      scene.configFile,
    ])
      expect(hide, file).toContain(file);
  });

  test("a configuration that a repository holds stays readable, as git couldn't add what is hidden", () => {
    const scene = createScene();
    scene.configure(`state: { root: ${join(scene.dir, "state")} }`);
    mkdirSync(join(dirname(scene.configFile), ".git"));
    const { hide, locked } = runtimeSettings(loadConfig(scene.configFile, scene)).sandbox;
    expect(hide.filter((path) => path === scene.configFile)).toEqual([]);
    expect(locked).toContain(scene.configFile);
  });

  test("the configuration, the graph and compiled code are written by no session, whether a repository holds them or not", () => {
    const { at, loaded, scene } = hidden();
    const compiled = join(scene.dir, "compiled");
    vi.stubEnv("NODE_COMPILE_CACHE", compiled);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { locked } = runtimeSettings(loaded).sandbox;
    expect(locked).toEqual([at["graphFile"], scene.configFile, compiled]);
  });

  test("what a link moves out of the state root stays hidden", () => {
    const { hide, loaded, scene } = hidden();
    const turns = join(scene.dir, "disk/turns");
    mkdirSync(turns, { recursive: true });
    mkdirSync(join(scene.dir, "state"), { mode: 0o700 });
    symlinkSync(turns, join(scene.dir, "state/turns"));
    expect(hide).not.toContain(join(scene.dir, "state/turns"));
    expect(runtimeSettings(loaded).sandbox.hide).toContain(join(scene.dir, "state/turns"));
  });

  test("every path of the configuration is hidden or listed as harmless", () => {
    const { hide, loaded } = hidden();
    const isHidden = (path: string): boolean =>
      hide.some((each) => path === each || path.startsWith(`${each}/`));
    const open = Object.entries(loaded.paths).filter(([key, value]) => {
      const paths = [value].flat().map((each) => String(each).replace(/^sqlite:/, ""));
      return !(key in harmless) && (value === null || !paths.every(isHidden));
    });
    expect(open).toEqual([]);
    expect(Object.keys(harmless).filter((key) => !(key in loaded.paths))).toEqual([]);
  });
});
