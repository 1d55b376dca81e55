import { rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loadConfig, noDaemons } from "../../src/start/load-config.ts";
import { type ConfigChange, type WatchedConfig, watchConfig } from "../../src/start/watch-config.ts";
import { createScene } from "../support/scene.ts";

/** A listener that asks for the settings again, as the one that writes the event log does. */
function watched(text: string): { readonly config: WatchedConfig; readonly changes: ConfigChange["kind"][]; readonly file: string } {
  const scene = createScene(text);
  const changes: ConfigChange["kind"][] = [];
  const io = { env: scene.env, home: scene.home, cwd: scene.cwd };
  const config: WatchedConfig = watchConfig(loadConfig(scene.configFile, io), noDaemons, io, ({ kind }) => {
    changes.push(kind);
    if (changes.length < 10) config.settings();
  });
  return { config, changes, file: scene.configFile };
}

test("a configuration that vanishes is told once, the last good one stays, and it is taken up again when it is back", () => {
  const { config, changes, file } = watched("instance: { name: one }\n");
  rmSync(file);
  expect(config.settings().policy.instance.name).toBe("one");
  expect(config.settings().policy.instance.name).toBe("one");
  expect(changes).toEqual(["rejected"]);
  writeFileSync(file, "instance: { name: two }\n");
  expect(config.settings().policy.instance.name).toBe("two");
  expect(changes).toEqual(["rejected", "loaded"]);
});

test("a bad edit is told once and the last good configuration stays", () => {
  const { config, changes, file } = watched("instance: { name: one }\n");
  writeFileSync(file, "instance: { nmae: two }\n");
  expect(config.settings().policy.instance.name).toBe("one");
  expect(config.settings().policy.instance.name).toBe("one");
  expect(changes).toEqual(["rejected"]);
});
