import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@loopwork-tooling/practice-host";
import { expect, onTestFinished, test } from "vitest";
import { readLivePidfile } from "../../src/detach/pidfile.ts";
import { trustCandidate, trustConfig } from "../../src/configuration/trust-config.ts";
import { createScene, type Scene } from "../support/scene.ts";
import { until } from "../support/until.ts";

const bin = fileURLToPath(new URL("../../src/bin.ts", import.meta.url));
const argv = (words: readonly string[]): readonly string[] => [
  "--conditions=@loopwork/source",
  bin,
  ...words,
];

function loop(
  scene: Scene,
  ...words: string[]
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  return spawnSync(process.execPath, argv(words), {
    cwd: scene.cwd,
    env: scene.env,
    encoding: "utf8",
    timeout: 60_000,
  });
}

/** What a person does with `loop config trust` at a terminal. */
function trustHere(scene: Scene): void {
  const candidate = trustCandidate(null, scene);
  if (candidate === null) throw new Error("there is no configuration here");
  trustConfig(candidate, scene.home);
}

/**
 * A service that runs from the trusted configuration of a working directory, and the same
 * configuration with a program of somebody else's.
 */
async function serviceOfRepository(): Promise<{
  readonly scene: Scene;
  readonly pidfile: string;
  readonly pull: () => void;
  readonly restore: () => void;
  readonly marker: string;
}> {
  const scene = createScene();
  delete scene.env["LOOP_CONFIG"];
  const folder = join(scene.cwd, ".loop");
  mkdirSync(folder);
  const [file, marker] = [join(folder, "cli-config.yaml"), join(scene.dir, "ran")];
  const trusted = `service: { port: ${await freePort()} }\nharnesses: { A: { command: "true" } }\n`;
  const restore = (): void => writeFileSync(file, trusted);
  restore();
  trustHere(scene);
  onTestFinished(() => void loop(scene, "stop"));
  expect(loop(scene, "start")).toMatchObject({ status: 0 });
  const evil = join(scene.cwd, "evil.sh");
  writeFileSync(evil, `#!/bin/sh\ntouch '${marker}'\n`, { mode: 0o755 });
  const pull = (): void =>
    writeFileSync(
      file,
      trusted.replace('"true"', JSON.stringify(evil)).replace(/port: \d+/, "port: 1"),
    );
  return { scene, pidfile: join(folder, "service.pid"), pull, restore, marker };
}

test(
  "a `git pull` changes nothing of a running service: commands still find it, a restart is refused, and it takes the new text once that is trusted",
  { timeout: 120_000 },
  async () => {
    const { scene, pidfile, pull, restore, marker } = await serviceOfRepository();
    const before = readLivePidfile(pidfile);
    pull();
    expect(loop(scene, "status")).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("● service"),
      stderr: expect.stringContaining("the trusted version stays in force"),
    });
    for (const word of ["restart", "start"])
      expect(loop(scene, word)).toMatchObject({
        status: 2,
        stderr: expect.stringContaining("LOOP_E_CONFIG_UNTRUSTED"),
      });
    expect(loop(scene, "doctor").stdout).toContain("changed since you trusted it");
    expect(readLivePidfile(pidfile)?.identity).toEqual(before?.identity);
    expect(existsSync(marker)).toBe(false);
    restore();
    expect(loop(scene, "restart")).toMatchObject({ status: 0 });
    expect(readLivePidfile(pidfile)?.identity).not.toEqual(before?.identity);
    pull();
    expect(loop(scene, "stop")).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("Stopped service"),
    });
    expect(readLivePidfile(pidfile)).toBeNull();
  },
);

test(
  "a daemon that a supervisor brings up again runs with the trusted text",
  { timeout: 120_000 },
  async () => {
    const { scene, pidfile, pull, marker } = await serviceOfRepository();
    expect(loop(scene, "stop")).toMatchObject({ status: 0 });
    pull();
    const file = join(scene.cwd, ".loop", "cli-config.yaml");
    const child = spawn(process.execPath, argv(["--config", file, "daemon", "service"]), {
      cwd: "/",
      env: { ...scene.env, LOOP_DAEMON: "1" },
      stdio: "ignore",
    });
    onTestFinished(() => void child.kill());
    await until(() => readLivePidfile(pidfile) !== null, "the daemon");
    expect(existsSync(marker)).toBe(false);
    expect(readFileSync(file, "utf8")).toContain("evil.sh");
  },
);
