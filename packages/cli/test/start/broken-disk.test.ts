import { freePort } from "@loopwork-tooling/practice-host";
import { LoopError } from "@loopwork/core/ports";
import { expect, test } from "vitest";
import { runDaemon } from "../../src/start/daemons.ts";
import { loadConfig } from "../../src/configuration/load-config.ts";
import type { Io } from "../../src/io/io.ts";
import { createScene } from "../support/scene.ts";

test(
  "D02 a daemon whose disk failed under the store ends with that error instead of refusing for ever",
  { timeout: 30_000 },
  async () => {
    const scene = createScene(
      `state: { root: state }\nservice: { enabled: false }\nwebhooks: { hostWebhook: { enabled: true, port: ${await freePort()} } }\n`,
    );
    const io: Io = {
      version: "0.0.0-test",
      cwd: scene.cwd,
      home: scene.home,
      env: scene.env,
      color: false,
      width: 100,
      interactive: false,
      out: () => {},
      err: () => {},
      readStdin: () => Promise.resolve(""),
      ask: () => Promise.resolve(""),
    };
    const broken = (): Promise<never> =>
      Promise.reject(new LoopError("LOOP_E_STORE_BROKEN", "the disk failed", "look after it"));
    const running = runDaemon({
      kind: "host-webhook",
      once: false,
      loaded: loadConfig(scene.configFile, io),
      io,
      decorate: (parts) => ({
        ...parts,
        store: { ...parts.store, lanes: { ...parts.store.lanes, turn: broken } },
      }),
    });
    await expect(running).rejects.toMatchObject({ code: "LOOP_E_STORE_BROKEN" });
  },
);
