import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findConfigPlaces } from "../../src/configuration/find-config.ts";
import { loadConfig, noDaemons, runtimeSettings } from "../../src/configuration/load-config.ts";
import { mentionsGraph, openConfig } from "../../src/configuration/open-config.ts";
import { watchConfig } from "../../src/configuration/watch-config.ts";
import { createScene } from "../support/scene.ts";

test("looks for the configuration in the documented order", () => {
  const { dir, home, cwd, configFile } = createScene();
  const write = (...parts: string[]): string => {
    const file = join(...parts);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, "");
    return file;
  };
  const find = (env: Record<string, string>, asked: string | null = null): string | null =>
    findConfigPlaces(asked, { env, cwd, home })[0]?.file ?? null;
  expect(find({})).toBeNull();
  const atHome = write(home, ".loop", "cli-config.yaml");
  expect(find({})).toBe(atHome);
  const hidden = write(cwd, ".loop", "cli-config.yaml");
  expect(find({})).toBe(hidden);
  const plain = write(cwd, "cli-config.yaml");
  expect(find({})).toBe(plain);
  expect(find({ LOOP_CONFIG: configFile })).toBe(configFile);
  const other = write(dir, "other.yaml");
  expect(find({ LOOP_CONFIG: configFile }, other)).toBe(other);
});

test("a file that was named and is not there is an error with what to do", () => {
  const { cwd, home } = createScene();
  expect(() => openConfig("nope.yaml", { env: {}, cwd, home })).toThrow(
    expect.objectContaining({ code: "LOOP_E_CONFIG_MISSING" }),
  );
});

test("everything that is wrong comes at once, with place and hint, and exit 2", async () => {
  const scene = createScene(
    "routing:\n  authorizedUser: [ada]\nwebhooks:\n  hostWebhook:\n    port: 99999\n",
  );
  const ran = await scene.loop("config", "validate");
  expect(ran.code).toBe(2);
  expect(ran.err).toContain(`${scene.configFile}:2`);
  expect(ran.err).toContain("authorizedUsers");
  expect(ran.err).toContain(`${scene.configFile}:5`);
});

test("env.file is loaded under the environment and never overrides what is set", () => {
  const { dir, configFile, configure, home, cwd } = createScene();
  writeFileSync(
    join(dir, "loop.env"),
    "LOOP_HOST_TOKEN=from-file\nLOOP_HOST_WEBHOOK_SECRET=from-file\n",
  );
  configure("env:\n  file: loop.env\n");
  const { env } = loadConfig(configFile, {
    env: { LOOP_HOST_TOKEN: "from-environment" },
    cwd,
    home,
  });
  expect(env).toMatchObject({
    LOOP_HOST_TOKEN: "from-environment",
    LOOP_HOST_WEBHOOK_SECRET: "from-file",
  });
});

test("a changed file is taken up on the next look; a bad edit keeps the last good one and is told once", () => {
  const { configFile, configure, home, cwd } = createScene("routing:\n  authorizedUsers: [ada]\n");
  const told: string[] = [];
  const watched = watchConfig(
    loadConfig(configFile, { env: {}, cwd, home }),
    noDaemons,
    { env: {}, home },
    (change) => told.push(change.kind),
  );
  const users = (): readonly string[] => [...watched.settings().policy.authorizedUsers];
  expect(users()).toEqual(["ada"]);
  configure("routing:\n  authorizedUsers: [ada, grace]\n");
  expect(users()).toEqual(["ada", "grace"]);
  configure("routing:\n  authorizedUsers: {\n");
  expect(users()).toEqual(["ada", "grace"]);
  expect(users()).toEqual(["ada", "grace"]);
  configure("routing:\n  authorizedUsers: [grace]\n");
  expect(users()).toEqual(["grace"]);
  expect(told).toEqual(["loaded", "rejected", "loaded"]);
});

test("names of our secrets follow the configuration", () => {
  const { configFile, configure, home, cwd } = createScene();
  configure(
    "webhooks:\n  hostWebhook: { secretEnv: MY_SECRET }\nintegrations:\n  codeHost: { tokenEnv: MY_TOKEN }\n",
  );
  expect(
    runtimeSettings(loadConfig(configFile, { env: {}, cwd, home })).secretNames.slice(0, 2),
  ).toEqual(["MY_SECRET", "MY_TOKEN"]);
});

test.each<[string, boolean]>([
  ["routing: { graph: { specDir: specs } }\n", true],
  ['"routing": { "graph": { "sp\\x65cDir": "specs" } }\n', true],
  ["routing:\n  graph:\n    definition: g.yaml\n", false],
  ["", false],
])(
  "whether a configuration could name a graph is seen without reading it: %j",
  (text, mentions) => {
    const { cwd, home, configFile, configure } = createScene();
    expect(mentionsGraph(null)).toBeNull();
    configure(text);
    const around = { env: { LOOP_CONFIG: configFile }, cwd, home };
    expect(mentionsGraph(openConfig(null, around).config)).toBe(mentions);
    expect(mentions || loadConfig(null, around).config.routing.graph.specDir === "").toBe(true);
  },
);
