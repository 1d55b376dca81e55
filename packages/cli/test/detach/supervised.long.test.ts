import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "@loopwork-tooling/practice-host";
import { describe, expect, onTestFinished, test } from "vitest";
import { type PidRecord, readLivePidfile } from "../../src/detach/pidfile.ts";
import { createScene, type Scene } from "../support/scene.ts";

/**
 * A systemd that knows `start`, as far as a unit of ours needs it, and writes down what it was
 * told.
 */
const systemctl = (list: string, units: string): string => `#!/bin/sh
echo "$*" >> '${list}'
[ -e '${list}.refuse' ] && { echo 'Failed to connect to bus' >&2; exit 1; }
[ "$2" = start ] || exit 0
eval "LOOP_DAEMON=1 LOOP_SUPERVISOR=systemd:$3 nohup $(sed -n 's/^ExecStart=//p' '${units}'/$3) >> /dev/null 2>&1 &"
`;

async function installed(): Promise<{
  readonly scene: Scene;
  readonly told: () => readonly string[];
  readonly refuse: () => void;
  readonly unit: string;
  readonly running: () => PidRecord | null;
}> {
  const scene = createScene(
    `state: { root: state }\nservice: { port: ${await freePort()} }\nrouting: { authorizedUsers: [ada] }\n`,
  );
  const [tools, list, units] = [
    join(scene.dir, "tools"),
    join(scene.dir, "told"),
    join(scene.home, ".config", "systemd", "user"),
  ];
  mkdirSync(tools);
  writeFileSync(join(tools, "systemctl"), systemctl(list, units));
  chmodSync(join(tools, "systemctl"), 0o755);
  scene.env["PATH"] = `${tools}:${scene.env["PATH"] ?? ""}`;
  onTestFinished(() => scene.loop("stop").then(() => {}), 60_000);
  const ran = await scene.loop("service", "install");
  expect(ran, ran.err).toMatchObject({ code: 0 });
  return {
    scene,
    told: () => (existsSync(list) ? readFileSync(list, "utf8").trim().split("\n") : []),
    refuse: () => writeFileSync(`${list}.refuse`, ""),
    unit: join(units, "loop.service"),
    running: () => readLivePidfile(join(scene.dir, "state", "service.pid")),
  };
}

describe.runIf(process.platform === "linux")("a service that systemd keeps", () => {
  test("is started by it, also after `loop stop`", { timeout: 240_000 }, async () => {
    const { scene, told, running } = await installed();
    for (let times = 0; times < 2; times++) {
      const started = await scene.loop("start");
      expect(started, started.err).toMatchObject({ code: 0 });
      expect(told().at(-1)).toBe("--user start loop.service");
      expect(running()?.supervisor).toBe("systemd:loop.service");
      expect(await scene.loop("stop")).toMatchObject({ code: 0 });
      expect(told().at(-1)).toBe("--user stop loop.service");
      expect(running()).toBeNull();
    }
  });

  test("is not started beside it when it refuses, and its words are shown", async () => {
    const { scene, refuse, running } = await installed();
    refuse();
    expect(await scene.loop("start")).toMatchObject({
      code: 2,
      err: expect.stringMatching(/Failed to connect to bus[^]*LOOP_E_SUPERVISOR/),
    });
    expect(running()).toBeNull();
  });

  test("of another state root is none of ours", { timeout: 90_000 }, async () => {
    const { scene, told, unit, running } = await installed();
    writeFileSync(
      unit,
      readFileSync(unit, "utf8").replace(
        /^WorkingDirectory=.*$/m,
        "WorkingDirectory=/somewhere/else",
      ),
    );
    expect(await scene.loop("start")).toMatchObject({ code: 0 });
    expect(told().at(-1)).not.toContain("start loop.service");
    expect(running()?.supervisor).toBeNull();
  });
});
