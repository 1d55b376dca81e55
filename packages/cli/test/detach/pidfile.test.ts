import { execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createLocks } from "@loopwork/store";
import { describe, expect, onTestFinished, test } from "vitest";
import { readLivePidfile, writePidfile } from "../../src/detach/pidfile.ts";
import { identityOf, isAlive } from "../../src/processes/process-identity.ts";
import { holdDaemonLock } from "../support/lock-holder.ts";
import { createScene } from "../support/scene.ts";

describe("D04 a pidfile that names a process which isn't that daemon", () => {
  const own = identityOf(process.pid) ?? { pid: 0, startTime: "" };
  const record = {
    kind: "service",
    version: "0",
    configFile: null,
    startedAt: 0,
    healthUrl: null,
    stopping: false,
    identity: own,
  } as const;
  const written = async (
    forged: object = {},
    lock = true,
  ): Promise<{ readonly file: string; readonly read: () => unknown }> => {
    const { dir } = createScene();
    const root = join(dir, "state");
    const held = lock ? await createLocks(join(root, "locks")).acquire("daemon-service") : null;
    onTestFinished(() => held?.release());
    const file = join(root, "service.pid");
    writePidfile(file, { ...record, ...forged });
    return { file, read: () => readLivePidfile(file) };
  };

  test("is believed with the start of the process, this boot and the lock", async () => {
    expect((await written()).read()).toMatchObject(record);
  });

  test("is believed where an earlier version wrote the start time without the boot", async () => {
    const identity = { ...own, startTime: own.startTime.replace(/@.*$/, "") };
    expect((await written({ identity })).read()).toMatchObject({ identity });
  });

  test.each([
    ["another start time", { identity: { ...own, startTime: `1${own.startTime}` } }],
    [
      "the same start time in another boot",
      {
        identity: {
          ...own,
          startTime: own.startTime.replace(/@.*$/, "@7f3b2c1e-0000-4000-8000-000000000000"),
        },
      },
    ],
    ["no such process", { identity: { ...own, pid: 4_194_303 } }],
    ["a group of processes", { identity: { ...own, pid: -own.pid } }],
    ["every process", { identity: { ...own, pid: -1 } }],
  ])("is not believed: %s", async (_what, forged) => {
    expect((await written(forged)).read()).toBeNull();
  });

  test("is not believed of a process that doesn't hold the daemon's lock, nor where another process holds it", async () => {
    const { file, read } = await written({}, false);
    expect(read()).toBeNull();
    await holdDaemonLock(dirname(file), "service", "setInterval(() => {}, 1000)");
    expect(read()).toBeNull();
  });

  test("is not believed behind a link, where others can write it, or where it is somebody else's", async () => {
    const { file, read } = await written();
    chmodSync(file, 0o666);
    expect(read()).toBeNull();
    chmodSync(file, 0o600);
    expect(read()).not.toBeNull();
    renameSync(file, `${file}.own`);
    symlinkSync(`${file}.own`, file);
    expect(read()).toBeNull();
    rmSync(file);
    execFileSync("mkfifo", [file]);
    expect(read()).toBeNull();
    rmSync(file);
    writeFileSync(file, "12345\n");
    expect(read()).toBeNull();
    if (process.getuid?.() !== 0) return;
    renameSync(`${file}.own`, file);
    chownSync(file, 65534, 65534);
    expect(read()).toBeNull();
  });

  test("ends nothing by `loop stop`", { timeout: 60_000 }, async () => {
    const scene = createScene("state: { root: state }\n");
    const bystander = spawn("sleep", ["60"]);
    onTestFinished(() => void bystander.kill("SIGKILL"));
    const identity = identityOf(bystander.pid ?? 0);
    if (identity === null) throw new Error("the bystander did not start");
    writePidfile(join(scene.dir, "state", "service.pid"), { ...record, identity });
    await scene.loop("stop");
    expect(isAlive(identity)).toBe(true);
  });
});
