import { rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { agentEnvironmentOf, loadConfig, noDaemons } from "../../src/configuration/load-config.ts";
import {
  type ConfigChange,
  type WatchedConfig,
  watchConfig,
} from "../../src/configuration/watch-config.ts";
import { createScene } from "../support/scene.ts";

/** A listener that asks for the settings again, as the one that writes the event log does. */
function watched(text: string): {
  readonly config: WatchedConfig;
  readonly changes: ConfigChange["kind"][];
  readonly file: string;
} {
  const scene = createScene(text);
  const changes: ConfigChange["kind"][] = [];
  const io = { env: scene.env, home: scene.home, cwd: scene.cwd };
  const config: WatchedConfig = watchConfig(
    loadConfig(scene.configFile, io),
    noDaemons,
    io,
    ({ kind }) => {
      changes.push(kind);
      if (changes.length < 10) config.settings();
    },
  );
  return { config, changes, file: scene.configFile };
}

test("a configuration that vanishes is told once, the last good one stays, and it is taken up again when it is back", () => {
  const { config, changes, file } = watched("routing: { autoExecuteLabel: one }\n");
  rmSync(file);
  expect(config.settings().policy.autoExecuteLabel).toBe("one");
  expect(config.settings().policy.autoExecuteLabel).toBe("one");
  expect(changes).toEqual(["rejected"]);
  writeFileSync(file, "routing: { autoExecuteLabel: two }\n");
  expect(config.settings().policy.autoExecuteLabel).toBe("two");
  expect(changes).toEqual(["rejected", "loaded"]);
});

test("a bad edit is told once and the last good configuration stays", () => {
  const { config, changes, file } = watched("routing: { autoExecuteLabel: one }\n");
  writeFileSync(file, "instance: { nmae: two }\n");
  expect(config.settings().policy.autoExecuteLabel).toBe("one");
  expect(config.settings().policy.autoExecuteLabel).toBe("one");
  expect(changes).toEqual(["rejected"]);
});

test("a key that needs a restart keeps its value in a running service, and the change is told apart from what is in force", () => {
  const scene = createScene("service: { port: 4001 }\nharnesses: { A: { permissions: bypass } }\n");
  const changes: ConfigChange[] = [];
  const config = watchConfig(loadConfig(scene.configFile, scene), noDaemons, scene, (change) =>
    changes.push(change),
  );
  const inForce = (): readonly unknown[] => [
    config.settings().config.service.port,
    config.settings().config.harnesses.A.permissions,
    config.settings().policy.instance.name,
  ];
  scene.configure(
    "service: { port: 4002 }\ninstance: { name: two }\nharnesses: { A: { permissions: guarded } }\n",
  );
  expect(inForce()).toEqual([4001, "guarded", "default"]);
  expect(changes).toEqual([
    {
      kind: "loaded",
      taken: ["harnesses.A.permissions"],
      restart: ["service.port", "instance.name"],
    },
  ]);
  scene.configure(
    "service: { port: 4002 }\ninstance: { name: two }\nharnesses: { A: { permissions: bypass } }\n",
  );
  expect(inForce()).toEqual([4001, "bypass", "default"]);
  expect(changes.at(-1)).toEqual({
    kind: "loaded",
    taken: ["harnesses.A.permissions"],
    restart: ["service.port", "instance.name"],
  });
  scene.configure("service: { port: 4001 }\nharnesses: { A: { permissions: bypass } }\n");
  expect(inForce()).toEqual([4001, "bypass", "default"]);
  expect(changes.at(-1)).toEqual({ kind: "loaded", taken: [], restart: [] });
});

test("a secret that the file names from now on is withheld at once, and one that it names no more is still withheld: the service uses it until it restarts", () => {
  const scene = createScene("");
  Object.assign(scene.env, { LOOP_HOST_TOKEN: "of-before", HOST_TOKEN_TWO: "of-after" });
  const config = watchConfig(loadConfig(scene.configFile, scene), noDaemons, scene, () => {});
  const seen = (): readonly string[] => Object.values(agentEnvironmentOf(config.loaded(), "A"));
  expect(seen()).toContain("of-after");
  scene.configure("integrations: { codeHost: { tokenEnv: HOST_TOKEN_TWO } }\n");
  expect(seen().filter((value) => value.startsWith("of-"))).toEqual([]);
});
