import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@loopwork-tooling/practice-host";
import { LoopError } from "@loopwork/core/ports";
import { expect, onTestFinished, test } from "vitest";
import { readLivePidfile } from "../../src/detach/pidfile.ts";
import { statusOfServices } from "../../src/detach/services.ts";
import type { RuntimeParts } from "@loopwork/runtime";
import { runDaemon } from "../../src/start/daemons.ts";
import { loadConfig } from "../../src/configuration/load-config.ts";
import type { Io } from "../../src/io/io.ts";
import { servicePlan } from "../../src/start/service-plan.ts";
import { createScene } from "../support/scene.ts";
import { until } from "../support/until.ts";
import { createWorld } from "../support/world.ts";

const bin = fileURLToPath(new URL("../../src/bin.ts", import.meta.url));

test(
  "D04 a daemon that is ending says so, and is on record until the last of it has ended",
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
    const loaded = loadConfig(scene.configFile, io);
    let [slow, ending, goOn] = [false, false, (): void => {}];
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const slowToEnd = (parts: RuntimeParts): RuntimeParts => {
      const { lanes, log } = parts.store;
      const turn: typeof lanes.turn = (id) =>
        ending
          ? Promise.reject(new LoopError("LOOP_E_STORE_BROKEN", "the disk failed", "look after it"))
          : lanes.turn(id);
      const undecided: typeof log.undecided = async (limit) => {
        if (slow) {
          ending = true; // Only once the dispatcher hangs, or it would be through at once.
          await held;
        }
        return log.undecided(limit);
      };
      return {
        ...parts,
        store: { ...parts.store, lanes: { ...lanes, turn }, log: { ...log, undecided } },
      };
    };
    const running = runDaemon({
      kind: "host-webhook",
      once: false,
      loaded,
      io,
      decorate: slowToEnd,
    });
    const ended = expect(running).rejects.toMatchObject({ code: "LOOP_E_STORE_BROKEN" });
    await until(() => readLivePidfile(loaded.paths.pidfile), "the pidfile");
    slow = true;
    await until(
      () => readLivePidfile(loaded.paths.pidfile)?.stopping === true,
      "the word of the end",
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(
      (await statusOfServices(servicePlan(loaded, io))).find(({ name }) => name === "host-webhook"),
    ).toMatchObject({ running: true, detail: expect.stringContaining("stopping") });
    goOn();
    await ended;
    expect(readLivePidfile(loaded.paths.pidfile)).toBeNull();
  },
);

test(
  "a signal ends a daemon with `--once` also while a turn runs, which goes on without it",
  { timeout: 120_000 },
  async () => {
    const world = await createWorld({ more: "polling: { enabled: true }" });
    const go = join(world.scene.dir, "go");
    onTestFinished(() => writeFileSync(go, ""));
    world.startIssue(`{{fixture:wait ${go}}}`);
    const daemon = spawn(
      process.execPath,
      ["--conditions=@loopwork/source", bin, "daemon", "poller", "--once"],
      { cwd: world.scene.cwd, env: world.scene.env, stdio: "ignore" },
    );
    onTestFinished(() => void daemon.kill("SIGKILL"));
    await until(() => world.prompts().length === 1, "the turn", undefined, 60_000);
    const ended = once(daemon, "exit");
    daemon.kill("SIGTERM");
    expect(
      await Promise.race([
        ended,
        new Promise((resolve) => setTimeout(resolve, 40_000, "it waits for the turn")),
      ]),
    ).toEqual([0, null]);
  },
);
